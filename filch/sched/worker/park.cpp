// How a worker without work parks: what it looks at before it sleeps, and which forks it looks for
// while it parks with a timeout.
#include <filch/base/simulation.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sched/worker/worker.hpp>

namespace filch::sched {
namespace {

class forks_of_others final : public fork_watch {
 public:
  forks_of_others(demand& wants, policy::thief_tuning& tuning, worker_recorder& reports) noexcept
      : wants_{wants}, tuning_{tuning}, reports_{reports} {}

  std::uint64_t next_park_ns() noexcept override { return tuning_.next_park_us() * 1000; }
  bool request_and_look() noexcept override {
    wants_.request_from_all();
    const bool forks_wait = wants_.forks_wait();
    reports_.report_look(forks_wait);
    return forks_wait;
  }

 private:
  demand& wants_;
  policy::thief_tuning& tuning_;
  worker_recorder& reports_;
};

}  // namespace

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
  forks_of_others forks{core.wants(), search_.tuning, reports};
  core.sleeping().sleep(waiter, begun.is_timed, forks);
  core.parking().note_use();
  waiter.report_waking();
}

}  // namespace filch::sched
