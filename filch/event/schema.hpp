#pragma once
// The one table of the events of a worker. Runtime, simulator and deterministic scheduler record
// them; recorder and viewer read them.
#include <filch/base/language.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace filch::inline v0_2::event {

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
  job_changed,
  blocking_entered,
  jobs_sampled,
  forks_counted,
  // From here on only counted: other records imply these.
  request_sent,
  request_answered,
  fork_forced,
  fork_inlined,
  fork_stolen,
  ready_stolen,
  job_queued,
  job_injected,
  job_discarded,
  visit,
  nap,
  self_wake,
  exception_escaped,
};
inline constexpr std::size_t kind_count = static_cast<std::size_t>(kind::exception_escaped) + 1;

/// Whether recordings have records of this kind.
constexpr bool is_recorded(kind what) noexcept { return what < kind::request_sent; }

struct description {
  kind what;
  std::string_view name;
  std::string_view meaning;
};

inline constexpr std::array<description, kind_count> schema{{
    {kind::fork_exposed, "forks_exposed", "forked jobs that became public"},
    {kind::forced_exposure, "forced_exposures",
     "exposures by a thief, because the owner was inside a long leaf"},
    {kind::steal_tried, "steals_tried", "victims probed"},
    {kind::steal_won, "steals_won", "jobs taken from another worker"},
    {kind::steal_lost, "steals_lost", "requests whose answer was gone before it could be taken"},
    {kind::job_run, "jobs_run",
     "jobs run other than at their own join: stolen, submitted, spawned in a group, injected"},
    {kind::join_stalled, "joins_stalled", "joins that found their job stolen and unfinished"},
    {kind::stolen_back, "stolen_back", "jobs a stalled join took from the thief of its own job"},
    {kind::slot_handed_over, "slots_handed_over",
     "times a waiting or blocking worker gave its slot away"},
    {kind::parked, "parks", "times asleep in the kernel for want of work"},
    {kind::wake_sent, "wakes_sent", "sleeping workers woken"},
    {kind::futile_wake, "futile_wakes", "wakes that found nothing to do"},
    {kind::thread_started, "threads_started", "operating-system threads started"},
    {kind::state_changed, "state_changes", "changes from one activity to another"},
    {kind::run_delayed, "run_delay_us",
     "microseconds ready to run while the kernel ran something else, where it says so"},
    {kind::slept_in_job, "slept_in_jobs_us",
     "microseconds asleep in the kernel in the middle of jobs, slot in hand: locks, reads, faults"},
    {kind::job_changed, "job_changes",
     "changes of the job under way, where jobs are recorded: begins of those run at their own join "
     "or wait, ends of all"},
    {kind::blocking_entered, "blocking_entered",
     "times a job left its slot to others, to wait in the kernel or to enter another pool"},
    {kind::jobs_sampled, "jobs_sampled",
     "changes from telling every job to telling long ones and samples of the others, and back, "
     "where jobs are recorded"},
    {kind::forks_counted, "forks_counted",
     "forks run at their own join or wait that samples of them counted, while a recording runs"},
    {kind::request_sent, "requests_sent",
     "times a searching worker asked another one to expose its private jobs"},
    {kind::request_answered, "requests_answered",
     "requests that the owner found at a fork or join and answered"},
    {kind::fork_forced, "forks_forced",
     "forked jobs that became public by force; also among those exposed"},
    {kind::fork_inlined, "forks_inlined", "forks run as plain calls, as the fork stack was full"},
    {kind::fork_stolen, "forks_stolen", "forked jobs that a worker without a job stole"},
    {kind::ready_stolen, "ready_stolen", "jobs stolen from the ready queue of another slot"},
    {kind::job_queued, "jobs_queued",
     "jobs that a worker put into its own ready queue: submitted, or spawned in a group"},
    {kind::job_injected, "jobs_injected",
     "jobs taken from an injector: those of external threads and overcommit slots, and those of "
     "high or background priority"},
    {kind::job_discarded, "jobs_discarded",
     "jobs freed without having run, after the pool was asked to stop"},
    {kind::visit, "visits", "times a thread from outside took a slot and computed in the pool"},
    {kind::nap, "naps", "times asleep with a timeout, to look for work that nobody announces"},
    {kind::self_wake, "self_wakes", "naps ended because there was work"},
    {kind::exception_escaped, "exceptions_escaped",
     "exceptions that left a submitted job and went to the pool's handler"},
}};

constexpr bool schema_is_in_order() {
  for (std::size_t i = 0; i < kind_count; ++i) {
    if (schema[i].what != static_cast<kind>(i)) return false;
  }
  return true;
}
static_assert(schema_is_in_order(), "the table is indexed by kind");

/// Whether `record::amount` of this kind is a call site.
constexpr bool names_site(kind what) noexcept {
  return what == kind::job_run || what == kind::job_changed;
}

/// The activity of a worker; its time is booked on exactly one of these.
enum class activity : std::uint8_t {
  away,       ///< Not in the pool: an external worker whose thread has left.
  working,    ///< Runs jobs.
  searching,  ///< Has a slot and looks for work.
  /// Has a slot, in a join whose job was stolen and that it cannot help with.
  waiting,
  /// Without a slot, inside a job: in a join that gave its slot away, in `blocking`, in another
  /// pool.
  blocked,
  parked,  ///< Without a slot and without a job, asleep.
};
inline constexpr std::size_t activity_count = static_cast<std::size_t>(activity::parked) + 1;

/// Indexed by activity.
inline constexpr std::array<std::string_view, activity_count> activity_names{
    "away", "working", "searching", "waiting", "blocked", "parked"};
constexpr std::string_view name_of(activity what) noexcept {
  return activity_names[static_cast<std::size_t>(what)];
}

}  // namespace filch::event
