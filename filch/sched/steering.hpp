#pragma once
#include <cstdint>

namespace filch::sched {

/// Keeps a sleeping thread off the waker's CPU for the wake alone.
///
/// The kernel likes to put a woken thread beside its waker, which is busy; there it waits for the load balancer, one to two
/// milliseconds. So the waker takes its own CPU out of the sleeper's affinity mask just before the wake, and the sleeper puts
/// the mask back as soon as it runs. Nothing stays pinned. Elsewhere than on Linux it does nothing.
/// Cost: a system call on each side, under 1 us. A failing call costs placement, nothing else.
class steering {
 public:
  /// The sleeper, once, on its own thread: remembers its number and its mask.
  void learn_thread() noexcept;
  /// The waker, before it wakes the thread.
  void keep_off_this_cpu() noexcept;
  /// The woken thread.
  void release() noexcept;

 private:
  static constexpr unsigned mask_words = 16;  // 1024 CPUs; a machine with more is not steered
  std::uint64_t mask_[mask_words] = {};
  int thread_ = 0;
  bool is_steered_ = false;  ///< Written by the waker before the wake, by the sleeper after it.
};

}  // namespace filch::sched
