#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstdint>

namespace filch::inline v0_2::trace {

/// How many jobs a worker may still record one by one, so that a recording stays cheap and small,
/// however long it lasts and however small its jobs are.
///
/// The first `whole` jobs of a recording are recorded, after them one each `ticks_a_job`. What is
/// earned is spent in bursts: jobs that follow each other show the make-up of a subtree. Any other
/// job is a fold, which stands for all that is forked in it, or is skipped.
/// Threads: one.
class job_budget {
 public:
  static constexpr std::uint32_t whole = 16'384;
  static constexpr std::uint32_t burst = 64;
  static constexpr std::uint32_t most_saved = 4'096;
  static constexpr std::uint32_t most_skipped = 64;

  /// A fold shorter than `short_ticks` is not worth a look at the clock.
  void begin(std::uint64_t now, std::uint64_t ticks_a_job, std::uint64_t short_ticks) noexcept {
    left_ = whole;
    since_ = now;
    ticks_a_job_ = (std::max)(ticks_a_job, std::uint64_t{1});
    short_ticks_ = short_ticks;
    streak_ = short_ones_ = skips_ = 0;
  }
  /// Whether one more job is recorded: false if the budget is spent.
  bool spend() noexcept {
    if (left_ == 0) [[unlikely]]
      return false;
    --left_;
    return true;
  }
  /// Whether a burst has been earned since the last one began.
  bool earn(std::uint64_t now) noexcept {
    const std::uint64_t earned = (now - since_) / ticks_a_job_;
    if (earned < burst) return false;
    left_ = static_cast<std::uint32_t>((std::min)(earned, std::uint64_t{most_saved}));
    since_ = now;
    return true;
  }
  /// Whether a fold that took so long is recorded. There are never more of these than of jobs.
  bool is_long(std::uint64_t ticks) const noexcept { return ticks >= 2 * ticks_a_job_; }

  /// Whether the next job is neither recorded nor folded, because many short folds came before it
  /// at the same depth of forks, as in a loop. Else it is a fold, or recorded.
  bool skip(std::uintptr_t depth) noexcept {
    if (skips_ != 0 && depth >= depth_) {
      --skips_;
      return true;
    }
    if (depth != depth_) short_ones_ = 0;
    depth_ = depth;
    skips_ = 0;
    return false;
  }
  /// Whether the last folds were all short. Then only joins that are no deeper pause: where the
  /// program climbs out of a subtree the next fold begins.
  bool folds_are_short() const noexcept { return streak_ > usual; }
  /// Notes that the fold took so long. After many short ones the next 2, 4, up to `most_skipped`
  /// jobs are skipped, each of which is a slow join of about 6 ns.
  void note_fold(std::uint64_t ticks) noexcept {
    streak_ = ticks < short_ticks_ ? streak_ + 1 : 0;
    short_ones_ = ticks < short_ticks_ ? short_ones_ + 1 : 0;
    if (short_ones_ > usual) skips_ = std::uint32_t{1} << (std::min)(short_ones_ - usual, 6u);
    static_assert(most_skipped == 1u << 6);
  }

 private:
  static constexpr std::uint32_t usual = 8;

  std::uint32_t left_ = 0;
  std::uint32_t streak_ = 0;                  ///< Short folds in a row,
  std::uint32_t short_ones_ = 0, skips_ = 0;  ///< and those at one depth.
  std::uintptr_t depth_ = 0;                  ///< Of the fold under way, or the last.
  std::uint64_t since_ = 0;
  std::uint64_t ticks_a_job_ = 1, short_ticks_ = 0;
};

}  // namespace filch::trace
