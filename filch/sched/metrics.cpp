#include <filch/sched/metrics.hpp>

#include <filch/event/counters.hpp>
#include <filch/sched/read_metrics.hpp>

#include <array>

namespace filch {
namespace {

struct field {
  event::kind what;
  std::uint64_t worker_metrics::*where;
};

constexpr std::array<field, event::kind_count> fields{{
    {event::kind::fork_exposed, &worker_metrics::forks_exposed},
    {event::kind::forced_exposure, &worker_metrics::forced_exposures},
    {event::kind::steal_tried, &worker_metrics::steals_tried},
    {event::kind::steal_won, &worker_metrics::steals_won},
    {event::kind::steal_lost, &worker_metrics::steals_lost},
    {event::kind::job_run, &worker_metrics::jobs_run},
    {event::kind::join_stalled, &worker_metrics::joins_stalled},
    {event::kind::stolen_back, &worker_metrics::stolen_back},
    {event::kind::slot_handed_over, &worker_metrics::slots_handed_over},
    {event::kind::parked, &worker_metrics::parks},
    {event::kind::wake_sent, &worker_metrics::wakes_sent},
    {event::kind::futile_wake, &worker_metrics::futile_wakes},
    {event::kind::thread_started, &worker_metrics::threads_started},
    {event::kind::state_changed, &worker_metrics::state_changes},
    {event::kind::run_delayed, &worker_metrics::run_delay_us},
    {event::kind::slept_in_job, &worker_metrics::slept_in_jobs_us},
}};

}  // namespace

worker_metrics& worker_metrics::operator+=(const worker_metrics& other) noexcept {
  for (const field& each : fields) {
    this->*each.where += other.*each.where;
  }
  seconds_working += other.seconds_working;
  seconds_searching += other.seconds_searching;
  seconds_waiting += other.seconds_waiting;
  seconds_blocked += other.seconds_blocked;
  seconds_parked += other.seconds_parked;
  return *this;
}

namespace sched {

worker_metrics read_metrics(const event::counters& counters, std::uint64_t now_ticks, double seconds_per_tick) noexcept {
  worker_metrics read;
  for (const field& each : fields) {
    read.*each.where = counters.count(each.what);
  }
  const auto seconds = [&](event::activity what) {
    return static_cast<double>(counters.spent_ticks(what, now_ticks)) * seconds_per_tick;
  };
  read.seconds_working = seconds(event::activity::working);
  read.seconds_searching = seconds(event::activity::searching);
  read.seconds_waiting = seconds(event::activity::waiting);
  read.seconds_blocked = seconds(event::activity::blocked);
  read.seconds_parked = seconds(event::activity::parked);
  return read;
}

}  // namespace sched
}  // namespace filch
