#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

namespace filch::policy {

/// How long an owner may leave a request unanswered before its thief exposes by force. Answers come at the next fork or join,
/// so silence means a long leaf.
inline constexpr std::uint64_t patience_us = 20;

/// Whether searching pays. A worker that finds work keeps its interest; one whose requests are answered by jobs that are
/// gone before it can take them loses it, and then leaves the owners of such small jobs alone for longer and longer.
class interest {
 public:
  static constexpr std::uint64_t longest_search_us = 40;  ///< About what a wake costs: sleeping earlier would not save anything.
  static constexpr std::uint64_t shortest_search_us = 5;  ///< Where searching has brought nothing lately.
  static constexpr std::uint64_t shortest_nap_us = 50;   ///< The first nap after worthwhile work.
  static constexpr std::uint64_t longest_nap_us = 2000;  ///< Bounds the delay of a fork whose owner then never pauses.
  static constexpr std::uint64_t worthwhile_us = 20;      ///< What a wake costs waker and woken together.
  static constexpr int most = 16;                        ///< Vain rounds that a worker with a good record accepts.

  constexpr void found_work() noexcept {
    score_ = std::min(score_ + 4, most);
    search_us_ = std::min(2 * search_us_, longest_search_us);
  }
  /// A stolen job took so long: only one that was worth a wake (about 20 us in all) shortens the next nap.
  constexpr void worked_for(std::uint64_t us) noexcept {
    if (us >= worthwhile_us) nap_us_ = shortest_nap_us;
  }
  constexpr void came_too_late() noexcept { --score_; }
  constexpr void searched_in_vain() noexcept { search_us_ = std::max(search_us_ / 2, shortest_search_us); }
  /// How long the next search may take: spinning pays where it has lately found something.
  constexpr std::uint64_t search_us() const noexcept { return search_us_; }
  constexpr bool is_lost() const noexcept { return score_ <= 0; }
  /// Sleep restores some of it.
  constexpr void rest() noexcept { score_ = std::max(score_, 2); }
  /// How long to leave everybody alone now; doubles each time nothing was found in between.
  constexpr std::uint64_t next_nap_us() noexcept {
    return std::exchange(nap_us_, std::min(2 * nap_us_, longest_nap_us));
  }

 private:
  int score_ = most;
  std::uint64_t nap_us_ = shortest_nap_us;
  std::uint64_t search_us_ = longest_search_us;
};

static_assert(interest::longest_nap_us * 1000 < 7'000'000, "two 50 ms leaves must end within 57 ms");

}  // namespace filch::policy
