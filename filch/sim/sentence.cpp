#include <filch/base/panic.hpp>
#include <filch/sim/sentence.hpp>

namespace filch::inline v0_2::sim {

std::string worker_name(worker_index worker) { return "Worker " + std::to_string(worker + 1); }

std::string sentence_of(const step& each, const computation& what, const vocabulary& words) {
  const std::string task = each.task == no_task ? "" : "task " + what[each.task].name;
  const std::string other =
      each.other == no_worker ? "" : "worker " + std::to_string(each.other + 1);
  const std::string queue = words.queue;
  const auto says = [&](std::string rest) {
    return worker_name(each.worker) + ' ' + std::move(rest) + '.';
  };
  switch (each.what) {
    case action::push: return says("puts " + task + " into " + queue);
    case action::pop: return says("takes its youngest, " + task + ", from its own end and runs it");
    case action::give: return says("hands " + task + " to " + other + ", " + words.giving);
    case action::take:
      return says("takes the oldest, " + task + ", from " + queue + " and runs it");
    case action::go_on: return says("goes on with " + task);
    case action::finish: return says("finishes " + task);
    case action::steal_try: return says("reaches for the oldest task of " + other + ", " + task);
    case action::steal_win: return says("steals " + task + " from " + other + " and runs it");
    case action::steal_lose:
      return says("comes too late: " + task + " has left the deque of " + other);
    case action::find_nothing:
      return says("looks into every other deque, finds nothing, and keeps looking");
    case action::stand_in_line:
      return says("wants " + queue + ", finds it locked, and stands in line");
    case action::lock: return says("holds the lock of " + queue);
    case action::wait: return says("has nothing to do and waits");
    case action::wait_at_join:
      return says("is at the join before " + task + " and waits for what was stolen");
    case action::park: return says("has found nothing for a while and goes to sleep");
    case action::wake: return says("sees nobody looking for work and wakes " + other);
    case action::wake_up: return says("is awake and looks for work");
  }
  FILCH_ASSERT(false, "every action has its sentence", static_cast<int>(each.what));
  return {};
}

}  // namespace filch::sim
