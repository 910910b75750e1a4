#include <filch/sched/pool/metrics.hpp>

#include <filch/sched/pool/read_metrics.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace filch::inline v0_2 {
namespace sched {
namespace {

using event::kind;
using all = worker_metrics;
struct count_field {
  kind what;
  std::uint64_t all::*count;
};
constexpr std::array<count_field, event::kind_count> fields{{
    {kind::fork_exposed, &all::forks_exposed},
    {kind::forced_exposure, &all::forced_exposures},
    {kind::steal_tried, &all::steals_tried},
    {kind::steal_won, &all::steals_won},
    {kind::steal_lost, &all::steals_lost},
    {kind::job_run, &all::jobs_run},
    {kind::join_stalled, &all::joins_stalled},
    {kind::stolen_back, &all::stolen_back},
    {kind::slot_handed_over, &all::slots_handed_over},
    {kind::parked, &all::parks},
    {kind::wake_sent, &all::wakes_sent},
    {kind::futile_wake, &all::futile_wakes},
    {kind::thread_started, &all::threads_started},
    {kind::state_changed, &all::state_changes},
    {kind::run_delayed, &all::run_delay_us},
    {kind::slept_in_job, &all::slept_in_jobs_us},
    {kind::job_changed, &all::job_changes},
    {kind::blocking_entered, &all::blocking_entered},
    {kind::jobs_sampled, &all::jobs_sampled},
    {kind::forks_counted, &all::forks_counted},
    {kind::request_sent, &all::requests_sent},
    {kind::request_answered, &all::requests_answered},
    {kind::fork_forced, &all::forks_forced},
    {kind::fork_inlined, &all::forks_inlined},
    {kind::fork_stolen, &all::forks_stolen},
    {kind::ready_stolen, &all::ready_stolen},
    {kind::job_queued, &all::jobs_queued},
    {kind::job_injected, &all::jobs_injected},
    {kind::job_discarded, &all::jobs_discarded},
    {kind::visit, &all::visits},
    {kind::nap, &all::naps},
    {kind::self_wake, &all::self_wakes},
    {kind::exception_escaped, &all::exceptions_escaped},
}};

constexpr std::array<std::uint64_t all::*, event::kind_count> fields_by_kind = [] {
  std::array<std::uint64_t all::*, event::kind_count> made{};
  for (const count_field& each : fields) made[static_cast<std::size_t>(each.what)] = each.count;
  return made;
}();
static_assert(std::ranges::count(fields_by_kind, nullptr) == 0, "each kind is counted in a field");

time_histogram histogram_of(const event::counted& counters, event::measure what,
                                double seconds_per_tick) noexcept {
  time_histogram made;
  for (std::size_t i = 0; i < made.counts.size(); ++i) made.counts[i] = counters.in_class(what, i);
  made.sum_seconds = static_cast<double>(counters.ended_ticks(what)) * seconds_per_tick;
  return made;
}

}  // namespace

constinit const std::array<std::uint64_t worker_metrics::*, event::kind_count> count_fields =
    fields_by_kind;

worker_metrics read_metrics(const event::counted& counters, std::uint64_t now_ticks,
                            double seconds_per_tick) noexcept {
  worker_metrics read;
  for (const event::description& each : event::schema)
    read.*count_fields[static_cast<std::size_t>(each.what)] = counters.count(each.what);
  for (const time_field& each : time_fields) {
    read.*each.seconds =
        static_cast<double>(event::spent_ticks(counters, each.what, now_ticks)) * seconds_per_tick;
    read.*each.intervals = histogram_of(counters, event::length_of(each.what), seconds_per_tick);
  }
  read.wake_latency = histogram_of(counters, event::measure::waking, seconds_per_tick);
  read.doing = counters.doing();
  return read;
}

void keep_growing(metrics_snapshot& now, const metrics_snapshot& before) noexcept {
  for (std::size_t i = 0; i < std::min(now.workers.size(), before.workers.size()); ++i) {
    for (const time_field& each : time_fields)
      now.workers[i].*each.seconds =
          std::max(now.workers[i].*each.seconds, before.workers[i].*each.seconds);
  }
  now.total = {};
  for (const worker_metrics& each : now.workers) now.total += each;
}

}  // namespace sched

std::uint64_t time_histogram::count() const noexcept {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

time_histogram& time_histogram::operator+=(const time_histogram& other) noexcept {
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  sum_seconds += other.sum_seconds;
  return *this;
}

worker_metrics& worker_metrics::operator+=(const worker_metrics& other) noexcept {
  for (const auto field : sched::count_fields) this->*field += other.*field;
  for (const sched::time_field& each : sched::time_fields) {
    this->*each.seconds += other.*each.seconds;
    this->*each.intervals += other.*each.intervals;
  }
  wake_latency += other.wake_latency;
  return *this;
}

}  // namespace filch
