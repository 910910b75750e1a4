#pragma once
// What the workers of a process did between two looks at it.
#include <filch/span/verdict.hpp>
#include <filch/trace/counted.hpp>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace filch::cli {

/// A state of workers, shown by the letter and the color of the use of a slot in that state.
struct shown_state {
  event::activity what;
  span::use use;
};
inline constexpr std::array<shown_state, 5> shown_states{{
    {event::activity::working, span::use::working},
    {event::activity::searching, span::use::searching},
    {event::activity::waiting, span::use::waiting},
    {event::activity::blocked, span::use::blocked},
    {event::activity::parked, span::use::starved},
}};

struct load {
  /// Shares of the time, by `shown_states`; the rest is away.
  std::array<double, shown_states.size()> shares{};
  double jobs_per_second = 0;
  double steals_per_second = 0;
};

struct worker_load {
  trace::row_owner who;
  event::activity doing{};  ///< At the second look.
  std::uint64_t ready_jobs = 0;
  load since;
  /// The share of the time that its thread slept in the middle of a job. In `since`: "blocked".
  double asleep = 0;
  std::string waits_in;  ///< What it sleeps in; empty if it does not.

  /// The state as it is shown.
  std::string_view state() const noexcept {
    return waits_in.empty() ? event::name_of(doing) : "asleep";
  }
};

struct process_load {
  std::int64_t process_id = 0;
  std::string program;
  double seconds = 0;                ///< Between the two looks.
  std::uint32_t slot_count = 0;      ///< In all pools.
  std::vector<worker_load> workers;  ///< Workers that existed in that time.
  load total;                        ///< Shares are those of a worker on average.
  std::uint64_t ready_jobs = 0;
  span::verdict judged;  ///< From the last seconds.
};

/// All of it but what the segment says beside the counters.
process_load compare(const trace::counted_process& before, const trace::counted_process& now);

/// The picture: a line for each worker as far as `height` lines go, none longer than `width`; in
/// color if `stream` has it.
std::vector<std::string> picture_of(const process_load& shown, std::size_t width,
                                    std::size_t height, std::FILE* stream);
nlohmann::json to_json(const process_load& shown);

}  // namespace filch::cli
