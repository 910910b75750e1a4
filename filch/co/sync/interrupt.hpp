#pragma once
#include <filch/base/stop_token.hpp>
#include <filch/base/sync.hpp>
#include <filch/co/frames.hpp>
#include <filch/co/sync/edges.hpp>
#include <filch/sched/pool/stoppable.hpp>

namespace filch::inline v0_2::co::sync {

/// The cancellation slot of a task. The task arms it with its waiter before each wait and disarms
/// it after; the *canceller*, the thread that asks the task to stop, comes once, at any time.
/// Either the canceller finds the waiter, or the task sees that it was asked and passes through the
/// lock that the canceller holds. A template, so that the model checkers run the code that ships.
template <class Sync, class Waiter>
class basic_interrupt {
 public:
  /// Without the asymmetric fence the task always passes through the lock.
  explicit basic_interrupt(bool has_fence) noexcept
      : has_fence_{has_fence}, was_asked_{!has_fence} {}

  /// The task, before it is listed anywhere. False: it was asked to stop already.
  /// Cost: a store and a load.
  bool arm(Waiter& waits) noexcept {
    // Release: the canceller may use this waiter, and needs it as it is now.
    waits_.store(&waits, base::release<edge::arm>);
    if (!may_have_been_asked()) return true;
    return arm_slowly();
  }
  /// The task, after its wait. Afterwards no other thread touches its waiter.
  void disarm() noexcept {
    waits_.store(nullptr, base::relaxed);  // relaxed: ordered by the fence pair
    if (may_have_been_asked()) wait_for_who_asks();
  }
  /// The task: the waiter that it is armed with.
  Waiter& armed() noexcept { return *waits_.load(base::relaxed); }  // relaxed: its own
  /// Called once by the canceller: interrupts the armed waiter, if any.
  template <class F>
  void ask(F interrupt) noexcept {
    busy_.lock();
    refuses_.write(true);
    was_asked_.store(true, base::relaxed);  // relaxed: ordered by the fence pair
    if (has_fence_) Sync::template heavy_fence<edge::ask>();
    if (Waiter* const found = waits_.load(base::acquire<edge::arm>); found != nullptr)
      interrupt(*found);
    busy_.unlock();
  }

 private:
  bool may_have_been_asked() const noexcept {
    Sync::template light_fence<edge::ask>();
    return was_asked_.load(base::relaxed);  // relaxed: ordered by the fence pair
  }
  [[gnu::noinline]] bool arm_slowly() noexcept {
    busy_.lock();
    const bool refuses = refuses_.read();
    if (refuses) waits_.store(nullptr, base::relaxed);  // relaxed: no canceller comes again
    busy_.unlock();
    return !refuses;
  }
  [[gnu::noinline]] void wait_for_who_asks() noexcept {
    busy_.lock();
    busy_.unlock();
  }

  /// Writer: the task. Reader: canceller.
  typename Sync::template atomic<Waiter*> waits_{nullptr};
  const bool has_fence_;
  typename Sync::template atomic<bool> was_asked_;      ///< Writer: canceller. Reader: the task.
  typename Sync::template plain<bool> refuses_{false};  ///< Guarded by `busy_`.
  typename Sync::mutex busy_;                           ///< Held by the canceller.
};

class wait_node;

/// The cancellation slot of a root, or of a forked task, called by the root's stop source.
/// Allocated at the task's first wait, for a root together with the stop source, and kept until its
/// frame is destroyed. Its pool lists it until the task ends.
class cancellation_slot : public sched::stoppable {
 public:
  cancellation_slot(std::stop_source asks, const void* root, const char* function)
      : stoppable{asks, root, function},
        meeting_{base::has_asymmetric_fence()},
        callback_{asks.get_token(), call{meeting_}} {}
  static void* operator new(std::size_t bytes) { return allocate_frame(bytes); }
  static void operator delete(void* kept, std::size_t bytes) noexcept {
    release_frame(kept, bytes);
  }
  bool arm(wait_node& waits) noexcept { return meeting_.arm(waits); }
  void disarm() noexcept { meeting_.disarm(); }
  wait_node& armed() noexcept { return meeting_.armed(); }

 private:
  using meeting = basic_interrupt<base::real_sync, wait_node>;
  struct call {
    meeting& at;
    void operator()() const noexcept;
  };
  meeting meeting_;
  base::stop_callback<call> callback_;
};

}  // namespace filch::co::sync
