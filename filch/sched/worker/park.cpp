// How a worker without work parks: what it looks at before it sleeps.
#include <filch/base/simulation.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sched/worker/worker.hpp>

namespace filch::inline v0_2::sched {

// Call on a worker that holds a slot and counts as searching, or a new one without a slot. On
// return it has a slot and searches, or the pool ends.
void worker::park() noexcept {
  reports.record_event(event::kind::parked);
  const bool lost_interest = search_.tuning.is_spent();
  search_.tuning.rest();
  const driver::begun begun = core.sleeping().begin_sleep(waiter);
  if (begun.ends) return;
  // The recheck: either this sees the job or its producer saw the free slot and no searcher.
  // (edge::announce) Forks that were not worth stealing need no thief: their owner runs them, and
  // `timed_sleeper_` looks whether they stay.
  const bool sees_work = core.wants().is_visible();
  reports.change(event::activity::parked, worker_recorder::as_ready(sees_work));
  if (lost_interest ? core.wants().detached_waits() : sees_work) core.parking().wake_one(&waiter);
  const base::waiting_for why{"work"};
  // It may have to run while all other workers are busy
  if (core.parking().awaits_something()) base::take_turns_of(base::turn_length::shortest);
  core.sleeping().sleep(waiter, begun.is_timed, search_.tuning);
  core.parking().note_use();
  waiter.report_waking();
}

}  // namespace filch::sched
