#include <filch/sched/strands.hpp>
#include <filch/sched/worker/external_scope.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sched/worker/slow_fork.hpp>

namespace filch::inline v0_2::sched {

fork_outcome fork_slowly(queue::job forked) noexcept {
  if (is_outside())
    return external_scope::runs_alone() ? fork_outcome::watched : fork_outcome::outside;
  if (current_observer != nullptr) return fork_outcome::watched;
  worker& me = current_worker();
  queue::fork_entry* const at = me.bottom();
  if (me.is_full(at)) {
    me.reports.count(event::kind::fork_inlined);
    return fork_outcome::full;
  }
  me.push(at, forked);
  // After the push: a thief that finds its request taken finds the job too. (fork_edge::request)
  const queue::request asked = me.take_request();
  if (base::simulation* const sim = base::current_simulation();
      sim != nullptr && sim->steals_everything) {
    me.serve_request(queue::request::placed);
    me.request_work();  // so that the next fork comes here too
    sim->step_aside();
  } else {
    me.serve_request(asked);
  }
  return fork_outcome::forked;
}

queue::pop_outcome join_slowly(queue::fork_entry* at) noexcept {
  FILCH_ASSERT(!is_outside(),
               "a child of fork() came back to a join whose other side its parent's threads have");
  worker& me = current_worker();
  const queue::pop_outcome outcome = me.take_back(at);
  if (outcome == queue::pop_outcome::stolen) me.wait_for_stolen(at);
  return outcome;
}

}  // namespace filch::sched
