#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstdint>

namespace filch::policy {

/// What a producer sees when it has published a job.
struct idle_view {
  std::uint32_t searching;   ///< Workers that are looking for work right now.
  std::uint32_t free_slots;  ///< Slots that nobody holds.
};

/// Whether a producer wakes somebody: not if a searcher will find the job, not if everybody runs
/// already.
constexpr bool wakes_somebody(idle_view idle) noexcept {
  return idle.searching == 0 && idle.free_slots > 0;
}

/// Whether one more worker may search: at most half of those that are busy, and always one.
constexpr bool may_search(std::uint32_t searching, std::uint32_t busy) noexcept {
  return searching == 0 || 2 * searching < busy;
}

/// Whether it pays that forks wake sleepers. Where the woken come when everything is done, the next
/// sleeper stays on watch instead: it looks by itself every now and then, and small roots pay
/// nothing for it.
class wake_record {
 public:
  /// A watch ends so long after the last activity.
  static constexpr std::uint64_t watch_us = 1'000'000;

  /// A woken worker found what it was woken for, although it took tens of microseconds to come.
  constexpr void came_in_time() noexcept { credit_ = most; }
  constexpr void came_too_late() noexcept { credit_ = (std::max)(credit_ - 1, 0); }
  /// Nothing stirs any more: whoever sleeps now must be woken, so the next root sends one wake
  /// again.
  constexpr void watch_ended() noexcept { credit_ = (std::max)(credit_, 1); }
  constexpr bool pays() const noexcept { return credit_ > 0; }

 private:
  static constexpr int most = 4;
  int credit_ = most;
};

/// What a wake takes, from its call until the thread runs, as wakes lately have: 5 us, or 140 where
/// a processor without work falls asleep, as those of guests do.
class wake_cost {
 public:
  static constexpr std::uint64_t first_guess_ns = 40'000;
  /// Who took longer waited for a processor: that does not count.
  static constexpr std::uint64_t most_ns = 200'000;

  constexpr wake_cost() noexcept = default;
  explicit constexpr wake_cost(std::uint64_t ns) noexcept : ns_{ns} {}
  /// One more wake took so long.
  constexpr wake_cost after(std::uint64_t took_ns) const noexcept {
    return took_ns > most_ns ? *this : wake_cost{ns_ - ns_ / weight + took_ns / weight};
  }
  constexpr std::uint64_t ns() const noexcept { return ns_; }

 private:
  static constexpr std::uint64_t weight = 8;
  std::uint64_t ns_ = first_guess_ns;
};

/// About what it costs to give a slot away and to get one back.
inline constexpr std::uint64_t hand_over_ns = 10'000;

/// Whether a thread that has waited for others so long gives its slot away, and sleeps. At once
/// where somebody could use it: there is other work. Else it would be woken into the same slot, so
/// it sleeps after as long as a wake takes: at most twice the time, and the work, of who knew how
/// long it has to wait.
/// Source: Karlin, Manasse, McGeoch and Owicki, "Competitive randomized algorithms for nonuniform
/// problems", Algorithmica 11 (1994): spinning and blocking.
constexpr bool gives_slot_away(std::uint64_t waited_ns, bool work_waits, wake_cost wake) noexcept {
  return waited_ns > hand_over_ns && (work_waits || waited_ns > wake.ns());
}

static_assert(!wakes_somebody({.searching = 1, .free_slots = 3}));
static_assert(wakes_somebody({.searching = 0, .free_slots = 1}));
static_assert(may_search(0, 0) && may_search(1, 3) && !may_search(2, 4));

}  // namespace filch::policy
