#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace filch::inline v0_2::trace {

/// When a worker counts its unstolen forks. They have no event, so joins pause for a sample of
/// them, every `interval_ticks` at most. In between only joins pause that are no deeper than the
/// last one seen: where the program climbs out of a subtree the next sample may begin.
/// Threads: one.
class fork_sampler {
 public:
  static constexpr std::uint32_t a_sample = 256;
  static constexpr std::uint32_t beside_jobs = 64;  ///< Where others are recorded.
  static constexpr std::uint32_t most_looks = 64;

  /// Forgets all: a recording begins, and the first join begins a sample.
  void begin(std::uint64_t interval_ticks) noexcept {
    left_ = seen_ = looks_ = 0;
    waits_ = true;
    due_ = 0;
    interval_ticks_ = interval_ticks;
  }
  /// Whether a sample is under way: all joins pause, and each is to be counted.
  bool counts() const noexcept { return left_ != 0; }
  bool is_due(std::uint64_t now) const noexcept { return now >= due_; }
  void start(std::uint64_t now, std::uint32_t joins = a_sample) noexcept {
    left_ = joins;
    looks_ = 0;
    waits_ = false;
    due_ = now + interval_ticks_;
  }
  /// Every join pauses, so the next one begins a sample if it is due.
  bool waits() const noexcept { return waits_; }
  void wait() noexcept { waits_ = true; }
  /// Counts a join. Returns whether the sample is over.
  bool count() noexcept {
    ++seen_;
    return --left_ == 0;
  }
  /// How many joins were counted since the last call.
  std::uint32_t take() noexcept { return std::exchange(seen_, 0); }
  /// The depth below which joins pause until the next sample, if one at `depth` has just been seen.
  /// A program that joins again and again at one depth does not pause there for long.
  std::uint32_t next_depth(std::uint32_t depth) noexcept {
    if (looks_ < most_looks) {
      ++looks_;
      return depth + 1;
    }
    return depth - depth / 4 - (depth < 4 ? (std::min)(depth, 1u) : 0);
  }

 private:
  std::uint32_t left_ = 0;   ///< Joins until the sample is over; 0: none is under way.
  std::uint32_t seen_ = 0;   ///< Joins counted and not yet recorded.
  std::uint32_t looks_ = 0;  ///< Joins that paused since the last sample, and began none.
  bool waits_ = true;
  std::uint64_t due_ = 0, interval_ticks_ = 0;
};

}  // namespace filch::trace
