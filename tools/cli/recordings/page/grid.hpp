#pragma once
// The level of detail of the page: what became of every worker's time, in parts of equal length.
#include <filch/span/budget.hpp>

#include <vector>

namespace filch::cli {

/// What a worker's time goes to: the uses of its slot, by their numbers in `span::use`, and these,
/// while it has none.
enum class occupation : std::uint8_t {
  suspended = span::use_count,  ///< In the middle of a job, while another worker has the slot.
  parked,
  away,
  contending,  ///< Acts as if it had a slot that another claims.
  lost,        ///< Its records are.
};
inline constexpr std::size_t occupation_count = static_cast<std::size_t>(occupation::lost) + 1;

struct occupation_description {
  std::string_view name, meaning;
};
/// Of those that are no uses, from `suspended` on.
inline constexpr std::array<occupation_description, occupation_count - span::use_count>
    idle_occupations{{
        {"suspended", "in the middle of a job, its slot with somebody else"},
        {"parked", "asleep for want of work"},
        {"away", "not in the pool"},
        {"contending", "without a slot, as another has claimed it"},
        {"lost", "its records are lost"},
    }};

/// Nanoseconds by occupation.
using spent_time = std::array<std::int64_t, occupation_count>;

/// What an interval goes to, apart from its run delay and sleep.
std::size_t occupation_of(const span::interval& what) noexcept;

/// The length of a recording in parts of equal length; the last one may be shorter.
struct grid {
  std::int64_t length_ns = 0;
  std::int64_t part_ns = 1;

  /// As many parts as make sense for so many intervals of so many workers: finer than a screen, and
  /// no more than a page can carry.
  static grid fitting(std::int64_t length_ns, std::size_t interval_count,
                      std::size_t worker_count) noexcept;

  std::size_t parts() const noexcept {
    return static_cast<std::size_t>((length_ns + part_ns - 1) / part_ns);
  }
  span::time_range part(std::size_t index) const noexcept;
};

/// What became of the time of one worker, or of the slots that no worker held, part by part.
using lane = std::vector<spent_time>;

/// A lane for each of `worker_count` workers, which is empty for those of other pools, and behind
/// them one for the slots that no worker held. The uses in all of them together are the account of
/// the pool, in each part and so in any row of parts (`span::account_of`).
///
/// Cost: O(intervals + workers of the pool * parts).
std::vector<lane> lanes_of(const span::timeline& from, std::size_t worker_count, const grid& by);

}  // namespace filch::cli
