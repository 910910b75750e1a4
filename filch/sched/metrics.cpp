#include <filch/sched/metrics.hpp>

#include <filch/sched/read_metrics.hpp>

#include <numeric>

namespace filch {
namespace sched {
namespace {

using all = worker_metrics;
constexpr std::array<std::uint64_t all::*, event::kind_count> fields_by_kind{&all::forks_exposed,
                                                                             &all::forced_exposures,
                                                                             &all::steals_tried,
                                                                             &all::steals_won,
                                                                             &all::steals_lost,
                                                                             &all::jobs_run,
                                                                             &all::joins_stalled,
                                                                             &all::stolen_back,
                                                                             &all::slots_handed_over,
                                                                             &all::parks,
                                                                             &all::wakes_sent,
                                                                             &all::futile_wakes,
                                                                             &all::threads_started,
                                                                             &all::state_changes,
                                                                             &all::run_delay_us,
                                                                             &all::slept_in_jobs_us,
                                                                             &all::job_changes,
                                                                             &all::requests_sent,
                                                                             &all::requests_answered,
                                                                             &all::forks_forced,
                                                                             &all::forks_inlined,
                                                                             &all::forks_stolen,
                                                                             &all::ready_stolen,
                                                                             &all::jobs_queued,
                                                                             &all::jobs_injected,
                                                                             &all::jobs_discarded,
                                                                             &all::visits,
                                                                             &all::blocking_entered,
                                                                             &all::naps,
                                                                             &all::self_wakes,
                                                                             &all::exceptions_escaped};

timing histogram_of(const event::counted& counters, event::measure what, double seconds_per_tick) noexcept {
  timing made;
  for (std::size_t i = 0; i < made.counts.size(); ++i) made.counts[i] = counters.in_class(what, i);
  made.sum_seconds = static_cast<double>(counters.ended_ticks(what)) * seconds_per_tick;
  return made;
}

}  // namespace

constinit const std::array<std::uint64_t worker_metrics::*, event::kind_count> count_fields = fields_by_kind;

worker_metrics read_metrics(const event::counted& counters, std::uint64_t now_ticks, double seconds_per_tick) noexcept {
  worker_metrics read;
  for (const event::description& each : event::schema)
    read.*count_fields[static_cast<std::size_t>(each.what)] = counters.count(each.what);
  for (const time_field& each : time_fields) {
    read.*each.seconds = static_cast<double>(event::spent_ticks(counters, each.what, now_ticks)) * seconds_per_tick;
    read.*each.stretches = histogram_of(counters, event::length_of(each.what), seconds_per_tick);
  }
  read.wake_latency = histogram_of(counters, event::measure::waking, seconds_per_tick);
  read.doing = counters.doing();
  return read;
}

}  // namespace sched

std::uint64_t timing::count() const noexcept { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }

timing& timing::operator+=(const timing& other) noexcept {
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  sum_seconds += other.sum_seconds;
  return *this;
}

worker_metrics& worker_metrics::operator+=(const worker_metrics& other) noexcept {
  for (const auto field : sched::count_fields) this->*field += other.*field;
  for (const sched::time_field& each : sched::time_fields) {
    this->*each.seconds += other.*each.seconds;
    this->*each.stretches += other.*each.stretches;
  }
  wake_latency += other.wake_latency;
  return *this;
}

}  // namespace filch
