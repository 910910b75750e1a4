#include <filch/sched/timer_queue.hpp>

namespace filch::inline v0_2::sched {

timer* timer_queue::take_due(std::uint64_t now_ns) noexcept {
  base::lock_guard guard{lock_};
  if (timers_.is_empty() || timers_.first()->due_ns > now_ns) return nullptr;
  timer* const first = timers_.take_first();
  first->expire(*first);
  publish();
  return first;
}

}  // namespace filch::sched
