#pragma once
// Intervals of time in one state, and how they are divided.
#include <filch/span/follower.hpp>

#include <span>

namespace filch::inline v0_2::span {

/// An interval of one worker in one state, for one site, with one slot or none.
struct interval {
  time_range when;
  std::uint32_t worker = 0;  ///< Index into `recording::workers`.
  /// If two workers claim a slot, the later one is the holder.
  std::uint16_t slot = event::record::nobody;
  state what = state::unknown;
  std::uint32_t site = 0;         ///< Of the job that runs; 0: not known.
  std::int64_t run_delay_ns = 0;  ///< The part in which the kernel ran another thread.
  std::int64_t slept_ns = 0;      ///< The part in which it slept in the kernel.
  std::int64_t forking_ns = 0;    ///< The estimated part of its forks.

  /// A job runs, which counts for the pool's use of its slots.
  constexpr bool is_work() const noexcept { return what == state::working && holds_slot(); }
  constexpr std::int64_t left_ns() const noexcept {
    return when.length_ns() - run_delay_ns - slept_ns - forking_ns;
  }

  constexpr bool holds_slot() const noexcept { return slot != event::record::nobody; }
};

/// A time range in which the same number of slots were free, by cause.
struct vacancy {
  time_range when;
  std::uint32_t woken_for = 0;  ///< There was work, and a worker had been woken for it.
  /// There was work, as the last worker that looked had seen, and no woken worker was on its way.
  std::uint32_t neglected = 0;
  std::uint32_t starved = 0;  ///< No worker saw any work.
  std::uint32_t unknown = 0;  ///< May have been held by workers whose records are lost.

  constexpr std::uint32_t slot_count() const noexcept {
    return woken_for + neglected + starved + unknown;
  }
};

/// The part of it within `limits`. Its run delay, sleep and forks are spread evenly, so that the
/// parts of an interval add up to it exactly.
interval cut(const interval& whole, time_range limits) noexcept;
vacancy cut(const vacancy& whole, time_range limits) noexcept;

/// Spreads `amount_ns` over the given intervals in proportion to `left_ns`; returns what does not
/// fit. `share` is `&interval::run_delay_ns`, `&interval::slept_ns` or `&interval::forking_ns`.
std::int64_t carve(std::vector<interval>& from, std::span<const std::size_t> which,
                   std::int64_t amount_ns, std::int64_t interval::*share);

}  // namespace filch::span
