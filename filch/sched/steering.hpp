#pragma once
#include <filch/base/sync.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace filch::sched {

/// Keeps a sleeping thread off the waker's CPU for the wake alone.
///
/// The kernel likes to put a woken thread beside its waker, which is busy; there it waits for the load balancer, one to two
/// milliseconds. So a thread that goes to sleep for long narrows its affinity mask to the CPU it is on, where nobody computes; and where
/// a waker finds none narrowed, or narrowed to its own CPU, it takes that CPU out of the sleeper's mask. The woken thread puts the mask
/// back first thing: nothing that runs is pinned, nor is a thread that a sleeper starts, which would have the sleeper's mask. Elsewhere
/// than on Linux it does nothing.
/// Cost: system calls of 2 to 12 us, one for the sleeper and one for the woken, or one for the waker and one for the woken. A failing
/// call costs placement, nothing else. A mask that somebody changes meanwhile from outside is left as they set it.
class steering {
 public:
  /// Who starts the sleeper's thread, before, and the thread itself, first thing: if its starter was confined as a sleeper, it may run where that may when it is up.
  void prepare_start() noexcept;
  void begin_thread() noexcept;
  /// The sleeper, once, on its own thread: remembers its number and its mask.
  void learn_thread() noexcept;
  /// The same thread, last thing, or in the child of fork(): it is no sleeper's any more.
  static void leave_thread() noexcept;
  /// The sleeper, before anything of the following can be done to it.
  void lie_down() noexcept;
  /// The sleeper, before a sleep without a timeout. Nobody may have chosen it for a wake yet: `prepare_wake` comes later or not at all.
  void settle_here() noexcept;
  /// The waker, before it wakes the thread; `goes_on` if it will not sleep soon itself.
  void prepare_wake(bool goes_on) noexcept;
  /// The woken thread.
  void release() noexcept;

  /// The CPUs that this thread, if it is a worker's, may run on when it is up; nothing for others.
  /// Throws: std::system_error where the system does not tell, std::bad_alloc.
  static std::optional<std::vector<unsigned>> cpus_when_up();

 private:
  static constexpr unsigned mask_words = 16;  // 1024 CPUs; a machine with more is not steered
  using mask = std::uint64_t[mask_words];
  static constexpr int nowhere = -1;

  /// On this thread: its mask is what a sleeper with `mask_` and `home_` has.
  bool is_confined() const noexcept;

  mask mask_ = {};
  int thread_ = 0;
  base::atomic<int> home_{nowhere};  ///< The CPU it sleeps on. Writer: the sleeper. Readers: wakers.
  bool lies_ = false;                ///< From `lie_down` to `release`. Of the sleeper's own thread.
  bool is_given_ = false;            ///< `mask_` is what the thread is to begin with. Written by who starts it.
  bool is_steered_ = false;          ///< Written by the waker before the wake, by the sleeper after it.
};

}  // namespace filch::sched
