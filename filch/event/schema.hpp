#pragma once
// The one table of what a worker can report. Runtime, simulator and deterministic scheduler emit it; recorder and viewer read it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace filch::event {

enum class kind : std::uint8_t {
  fork_exposed,
  forced_exposure,
  steal_tried,
  steal_won,
  steal_lost,
  job_run,
  join_stalled,
  stolen_back,
  slot_handed_over,
  parked,
  wake_sent,
  futile_wake,
  thread_started,
  state_changed,
  run_delayed,
  slept_in_job,
};
inline constexpr std::size_t kind_count = static_cast<std::size_t>(kind::slept_in_job) + 1;

struct description {
  kind what;
  std::string_view name;
  std::string_view meaning;
};

inline constexpr std::array<description, kind_count> schema{{
    {kind::fork_exposed, "forks_exposed", "forked jobs that became public"},
    {kind::forced_exposure, "forced_exposures", "exposures by a thief, because the owner was inside a long leaf"},
    {kind::steal_tried, "steals_tried", "victims probed"},
    {kind::steal_won, "steals_won", "jobs taken from another worker"},
    {kind::steal_lost, "steals_lost", "requests whose answer was gone before it could be taken"},
    {kind::job_run, "jobs_run", "jobs run other than at their own join: stolen, submitted, spawned in a group, injected"},
    {kind::join_stalled, "joins_stalled", "joins that found their job stolen and unfinished"},
    {kind::stolen_back, "stolen_back", "jobs a stalled join took from the thief of its own job"},
    {kind::slot_handed_over, "slots_handed_over", "times a waiting or blocking worker gave its slot away"},
    {kind::parked, "parks", "times asleep in the kernel for want of work"},
    {kind::wake_sent, "wakes_sent", "sleeping workers woken"},
    {kind::futile_wake, "futile_wakes", "wakes that found nothing to do"},
    {kind::thread_started, "threads_started", "operating-system threads started"},
    {kind::state_changed, "state_changes", "changes from one activity to another"},
    {kind::run_delayed, "run_delay_us", "microseconds ready to run while the kernel ran something else, where it says so"},
    {kind::slept_in_job, "slept_in_jobs_us",
     "microseconds asleep in the kernel in the middle of jobs, slot in hand: locks, reads, faults"},
}};

constexpr bool schema_is_in_order() {
  for (std::size_t i = 0; i < kind_count; ++i) {
    if (schema[i].what != static_cast<kind>(i)) return false;
  }
  return true;
}
static_assert(schema_is_in_order(), "the table is indexed by kind");

/// What a worker is doing; its time is booked on exactly one of these.
enum class activity : std::uint8_t {
  away,       ///< Not in the pool: a place whose visitor has left.
  working,    ///< Runs jobs.
  searching,  ///< Has a slot and looks for work.
  waiting,    ///< Has a slot, in a join whose job was stolen and of which there is nothing to help with.
  blocked,    ///< Without a slot, in the middle of a job: in a join that was handed over, in `blocking`, in another pool.
  parked,     ///< Without a slot and without a job, asleep.
};
inline constexpr std::size_t activity_count = static_cast<std::size_t>(activity::parked) + 1;

/// By the numbers of activities, as those of kinds stand in `schema`.
inline constexpr std::array<std::string_view, activity_count> activity_names{"away",    "working", "searching",
                                                                             "waiting", "blocked", "parked"};
constexpr std::string_view name_of(activity what) noexcept { return activity_names[static_cast<std::size_t>(what)]; }

}  // namespace filch::event
