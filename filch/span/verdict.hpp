#pragma once
// "Why is this not faster?", in one sentence, and the figures behind it.
#include <filch/span/observation.hpp>

#include <optional>
#include <string_view>

namespace filch::inline v0_2::span {

enum class fault : std::uint8_t {
  too_little_parallelism,
  grain_too_fine,
  grain_too_coarse,
  long_tail,
  blocked_workers,
  lock_convoy,
  throttled,
  oversubscription,
  memory_bound,
  wake_latency,
  neglected_work,
  lost_records,
};
inline constexpr std::size_t fault_count = static_cast<std::size_t>(fault::lost_records) + 1;

std::string_view name_of(fault what) noexcept;
/// The use of the slots' time that has most of its cost.
use paid_in(fault what) noexcept;

struct figure {
  std::string_view name;
  double value = 0;
  /// "share" of the slots' time, "ns", "jobs", "slots", "workers", "wakes", "times", "records".
  std::string_view unit;
};

struct finding {
  fault what{};
  double cost = 0;  ///< Share of the slots' time that it takes: the most that can be won.
  std::string sentence;
  std::vector<figure> figures;
  std::string advice;
};

struct verdict {
  std::string sentence;
  /// The costliest first; behind them those that are about the machine.
  std::vector<finding> findings;
  /// What to do if there is no finding.
  std::string advice;
  /// Only a run on one worker tells whether the work has grown with the workers, or for what jobs
  /// sleep, and there is none beside it.
  bool asks_for_lone_run = false;
};

/// The same work on one worker, for comparison.
struct lone_run {
  const observation* seen = nullptr;  ///< Null: there is no such run, and no other member counts.
  const analysis::result* watched = nullptr;  ///< Its analysis, if it was watched.

  /// Its work, forks included, without the cost of being watched.
  std::int64_t work_ns() const noexcept;
};

/// The input of a rule (`verdict_rules.hpp`). Idle time and run delay that one rule has explained
/// are not explained again by the next.
struct evidence {
  const event::recording& recorded;
  const observation& seen;
  lone_run on_one_worker;
  /// Of `budget::idle_ns`, without what lacking processors explain (`lacking_processors`).
  std::int64_t unexplained_idle_ns = 0;
  std::int64_t unexplained_delay_ns = 0;  ///< Of `use::run_delay`.
  bool is_convoy = false;                 ///< `lock_convoy` has explained why jobs sleep.
  bool is_fine = false;                   ///< `grain_too_fine` has explained why work has grown.

  /// Of the time of all slots for which there is a processor; at most 1.
  double share(std::int64_t ns) const noexcept;
  double share(use what) const noexcept { return share(seen.spent[what]); }
  std::uint32_t usable_slots() const noexcept;
  /// Whether that is 5 % of the time that is left without run delay: what is worth saying on a
  /// quiet machine is so on a busy one.
  bool is_worth_saying(std::int64_t ns) const noexcept;
  /// What is left of the wait for other threads if all run delay is taken off: on a busy machine
  /// those that are awaited come late.
  std::int64_t beyond_delay(std::int64_t waited_ns) const noexcept;
  /// Takes up to `ns` from the unexplained idle time.
  void explain(std::int64_t ns) noexcept;
};

/// Puts the findings of all rules in order and says the first of them.
verdict judge(const event::recording& from, const observation& seen,
              const lone_run& on_one_worker = {});

}  // namespace filch::span
