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
  std::vector<finding> findings;  ///< The costliest first.
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
  std::int64_t unexplained_idle_ns = 0;   ///< Of `budget::idle_ns`.
  std::int64_t unexplained_delay_ns = 0;  ///< Of `use::run_delay`.
  bool is_convoy = false;                 ///< `lock_convoy` has explained why jobs sleep.

  double share(std::int64_t ns) const noexcept;
  /// Takes up to `ns` from the unexplained idle time.
  void explain(std::int64_t ns) noexcept;
};

/// Puts the findings of all rules in order and says the first of them.
verdict judge(const event::recording& from, const observation& seen,
              const lone_run& on_one_worker = {});

}  // namespace filch::span
