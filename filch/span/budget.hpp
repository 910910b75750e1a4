#pragma once
// Where the time went: an account that balances to the nanosecond.
#include <filch/span/timeline.hpp>

#include <array>
#include <string_view>

namespace filch::inline v0_2::span {

/// What became of the time of a slot.
enum class use : std::uint8_t {
  working,  ///< Jobs ran.
  /// Spent on forks, estimated from their number (`book_forks`). Steal level does not count them:
  /// 0.
  forking,
  stealing,   ///< From a probe of a victim to the answer, and from a job won to its begin.
  searching,  ///< A worker looked for a victim.
  waiting,    ///< In a join whose job was stolen.
  blocked,    ///< Held by a thread that slept in the kernel inside a job.
  run_delay,  ///< Held by a thread that was ready to run while the kernel ran another one.
  neglected,  ///< Free while there was work: the scheduler's fault.
  starved,    ///< Free while there was none: the program's fault.
  unknown,    ///< May have been held by a worker whose records are lost.
};
inline constexpr std::size_t use_count = static_cast<std::size_t>(use::unknown) + 1;

struct use_description {
  use what;
  std::string_view name;
  char letter;  ///< For output without colors.
  std::string_view meaning;
};

inline constexpr std::array<use_description, use_count> uses{{
    {use::working, "working", 'W', "running jobs"},
    {use::forking, "forking", 'F', "the cost of forks, estimated from their number"},
    {use::stealing, "stealing", 'S', "taking a job from another worker"},
    {use::searching, "searching", '?', "looking for a job"},
    {use::waiting, "waiting", 'J', "in a join whose job was stolen"},
    {use::blocked, "blocked", 'B', "asleep in the kernel in the middle of a job, slot in hand"},
    {use::run_delay, "run_delay", 'K', "ready to run while the kernel ran something else"},
    {use::neglected, "neglected", '!', "free while there was work: the scheduler's fault"},
    {use::starved, "starved", '.', "free while there was no work: the program's"},
    {use::unknown, "unknown", 'u', "records are lost"},
}};

constexpr bool uses_are_in_order() {
  for (std::size_t i = 0; i < use_count; ++i) {
    if (uses[i].what != static_cast<use>(i)) return false;
  }
  return true;
}
static_assert(uses_are_in_order(), "the table is indexed by use");

/// The account of one pool: `slots` times the length of `when`, to the nanosecond, divided by use.
struct budget {
  time_range when;
  std::uint32_t slot_count = 0;
  std::array<std::int64_t, use_count> spent_ns{};

  std::int64_t& operator[](use what) noexcept { return spent_ns[static_cast<std::size_t>(what)]; }
  std::int64_t operator[](use what) const noexcept {
    return spent_ns[static_cast<std::size_t>(what)];
  }
  std::int64_t total_ns() const noexcept { return slot_count * when.length_ns(); }
  /// From 0 to 1; 0 of an empty account.
  double share(use what) const noexcept;
  /// Time in jobs, forks included: if forks are not counted, `working` has their cost.
  std::int64_t work_ns() const noexcept;
  /// The share of the time in jobs for which the kernel ran something else.
  double delayed_share() const noexcept;
  /// How many slots worked on average.
  double parallelism() const noexcept { return share(use::working) * slot_count; }
  /// Time in which a slot had no job for no known cause: free, or held by a worker without a job.
  std::int64_t idle_ns() const noexcept;
};

/// Adds up the uses of the slots within `when`. Asserts that no time is missing or counted twice.
budget account_of(const timeline& from, time_range when);
budget account_of(const timeline& from);

/// The account of one worker, with and without a slot: the length of `when`, divided by state.
struct worker_account {
  time_range when;
  /// Without the three below, which are subtracted from them.
  std::array<std::int64_t, state_count> spent_ns{};
  std::int64_t run_delay_ns = 0;
  std::int64_t slept_ns = 0;
  std::int64_t forking_ns = 0;

  std::int64_t operator[](state what) const noexcept {
    return spent_ns[static_cast<std::size_t>(what)];
  }
};

/// One account for each of `recording::workers`; those of other pools stay empty. They are exact,
/// as `account_of` is.
std::vector<worker_account> accounts_of_workers(const timeline& from, std::size_t worker_count,
                                                time_range when);

/// The use of a slot while its holder is in this state.
use use_of(state holder) noexcept;

}  // namespace filch::span
