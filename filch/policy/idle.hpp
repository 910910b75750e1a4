#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace filch::policy {

/// How long an owner may leave a request unanswered before its thief exposes by force. Answers come
/// at the next fork or join, so silence means a long leaf.
inline constexpr std::uint64_t patience_us = 20;

/// So long after an arrival a sleeper looks now and then whether somebody attends to the source.
inline constexpr std::uint64_t busy_source_us = 2000;

/// Whether searching pays: a budget of steals that brought next to nothing, refilled by those that
/// brought work.
///
/// A fork tree of a microsecond can be robbed, but its owner would be done sooner alone; so a thief
/// that finds only such jobs, or none, leaves everybody alone for longer and longer. Was an owner
/// stuck meanwhile, in a leaf that waits for another, the thief was wrong to leave, and stays
/// longer from now on.
class interest {
 public:
  /// About what a wake costs: sleeping earlier would not save anything.
  static constexpr std::uint64_t longest_search_us = 40;
  /// Where searching has brought nothing lately.
  static constexpr std::uint64_t shortest_search_us = 2;
  static constexpr std::uint64_t shortest_nap_us = 50;  ///< The first nap after worthwhile work.
  /// Bounds the delay of a fork whose owner then never pauses.
  static constexpr std::uint64_t longest_nap_us = 2000;
  /// What a wake costs waker and woken together.
  static constexpr std::uint64_t worthwhile_us = 20;
  /// What a steal costs owner and thief together.
  static constexpr std::uint64_t steal_us = 2;
  static constexpr int least_budget = 64;
  static constexpr int most_budget = 4096;

  /// A stolen job took so long.
  constexpr void worked_for(std::uint64_t us) noexcept {
    if (us < steal_us) {
      --budget_;
      return;
    }
    budget_ = (std::min)(
        (std::max)(budget_, 0) + static_cast<int>(std::min<std::uint64_t>(us, most_budget)),
        limit_);
    found_work();
    if (us >= worthwhile_us) nap_us_ = shortest_nap_us;
  }
  /// Something to do, of which nobody can say that another would have done it better.
  constexpr void found_work() noexcept {
    search_us_ = (std::min)(2 * search_us_, longest_search_us);
  }
  /// A request was answered, and the answer was gone before we came.
  constexpr void came_too_late() noexcept { budget_ -= 4; }
  constexpr void searched_in_vain() noexcept {
    search_us_ = (std::max)(search_us_ / 2, shortest_search_us);
  }
  /// An owner had been silent while the thief was away: its forks lay there, or could be taken only
  /// by force.
  constexpr void owner_was_stuck() noexcept {
    limit_ = (std::min)(4 * limit_, most_budget);
    budget_ = limit_;
    nap_us_ = shortest_nap_us;
  }
  /// How long the next search may take: spinning pays where it has lately found something.
  constexpr std::uint64_t search_us() const noexcept { return search_us_; }
  constexpr bool is_lost() const noexcept { return budget_ <= 0; }
  /// Sleep restores some of it.
  constexpr void rest() noexcept { budget_ = (std::max)(budget_, 2); }
  /// How long to leave everybody alone now; doubles each time nothing was found in between.
  constexpr std::uint64_t next_nap_us() noexcept {
    limit_ = (std::max)(limit_ / 2, least_budget);
    return std::exchange(nap_us_, (std::min)(2 * nap_us_, longest_nap_us));
  }

 private:
  int limit_ = least_budget;
  int budget_ = least_budget;
  std::uint64_t nap_us_ = shortest_nap_us;
  std::uint64_t search_us_ = longest_search_us;
};

static_assert(interest::longest_nap_us * 1000 < 7'000'000,
              "two 50 ms leaves must end within 57 ms");

}  // namespace filch::policy
