#pragma once
#include <filch/event/schema.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace filch::inline v0_2::event {

/// Whether there was work for an idle worker, as far as the writer of a record saw.
enum class ready_work : std::uint8_t { not_looked, none, some };
/// Indexed by these.
inline constexpr std::array<std::string_view, 3> ready_names{"not_looked", "none", "some"};
constexpr std::string_view name_of(ready_work what) noexcept {
  return ready_names[static_cast<std::size_t>(what)];
}

/// An event of a worker, and the worker's state after it. So a reader that has lost older records
/// knows the state from the next one on; no record is one half of a pair.
struct record {
  static constexpr std::uint16_t nobody = 0xffff;  ///< As `other` and `slot`: none.
  /// As `other` of a `job_run`: an external thread.
  static constexpr std::uint16_t outside = 0xfffe;
  /// The slots from this number on are recorded as `nobody`.
  static constexpr std::uint16_t most_slots = 0x3ff;
  /// The greatest `amount`; a greater one is written as this.
  static constexpr std::uint32_t most = (1u << 24) - 1;

  std::uint64_t ticks = 0;  ///< When, on `base::ticks`; a reader turns it into nanoseconds.
  kind what{};
  activity doing{};  ///< From now on.
  ready_work ready{};
  std::uint16_t slot = nobody;  ///< The slot that the worker holds from now on.
  /// The other worker: the victim of a steal, the woken one, the one whose job a join waits for, or
  /// whose job this was. `job_changed`: how deep jobs are nested. `forks_counted`: 1 if the worker
  /// goes on counting, else 0.
  std::uint16_t other = nobody;
  /// By kind: a number of jobs, a site, microseconds; or the length of a queue. 24 bits.
  /// `forks_counted`: those since the last such record, if that one said that counting goes on.
  std::uint32_t amount = 0;

  /// The form in a ring: two words of 64 bits, `ticks` first.
  constexpr std::array<std::uint64_t, 2> pack() const noexcept {
    const std::uint64_t least = amount < most ? amount : most;
    return {ticks, static_cast<std::uint64_t>(what) | static_cast<std::uint64_t>(doing) << 8 |
                       static_cast<std::uint64_t>(ready) << 12 |
                       (static_cast<std::uint64_t>(slot) & 0x3ff) << 14 | least << 24 |
                       static_cast<std::uint64_t>(other) << 48};
  }
  static constexpr record unpack(const std::array<std::uint64_t, 2>& words) noexcept {
    const std::uint64_t rest = words[1];
    const auto slot = static_cast<std::uint16_t>(rest >> 14 & 0x3ff);
    return {words[0],
            static_cast<kind>(rest & 0xff),
            static_cast<activity>(rest >> 8 & 0xf),
            static_cast<ready_work>(rest >> 12 & 0x3),
            slot == 0x3ff ? nobody : slot,
            static_cast<std::uint16_t>(rest >> 48),
            static_cast<std::uint32_t>(rest >> 24 & most)};
  }
  friend constexpr bool operator==(const record&, const record&) = default;
};

/// Calls `f` with amounts that add up to `whole`, each of which fits into a record: four for 60 s
/// asleep in a job.
template <class F>
constexpr void in_amounts(std::uint64_t whole, F&& f) {
  for (; whole > record::most; whole -= record::most) f(record::most);
  if (whole != 0) f(static_cast<std::uint32_t>(whole));
}

/// Whether `other` says which worker it was.
constexpr bool is_worker(std::uint16_t other) noexcept { return other < record::outside; }

/// The number of jobs that others could take from a worker, as `record::amount` has it: one more
/// than there were, and 0 if the writer did not look. In a `state_changed` these are the writer's
/// own public forks and the ready queue of its slot. In a `steal_won` of a fork they are the forks
/// left at the victim, `record::other`; in one from a ready queue they are not recorded.
constexpr std::uint32_t seen_takeable(std::uint64_t jobs) noexcept {
  return jobs < record::most ? static_cast<std::uint32_t>(jobs) + 1 : record::most;
}
constexpr bool tells_takeable(kind what) noexcept {
  return what == kind::state_changed || what == kind::steal_won;
}

}  // namespace filch::event
