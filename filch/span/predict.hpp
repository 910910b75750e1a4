#pragma once
#include <filch/event/analysis.hpp>

namespace filch::inline v0_2::analysis {

/// The time of an analyzed program on so many workers.
struct predicted_time {
  unsigned workers = 1;
  double bound_ns = 0;  ///< No schedule is faster: max(T1 / P, T-infinity).
  /// With stealing at its price: T1 / P + (1 - 1 / P) times the burdened span and a wake, or as on
  /// one worker if that is less.
  double estimate_ns = 0;

  /// Against one worker.
  double speed_up(double work_ns) const noexcept {
    return estimate_ns > 0 ? work_ns / estimate_ns : 1;
  }
};

/// The time of `of` on `workers` workers, at least 1.
/// Source: Brent, JACM 1974, and Graham, 1966, for the bound of greedy schedules (T1 - T-infinity)
/// / P + T-infinity; He, Leiserson and Leiserson, SPAA 2010, for its use with the burdened span.
/// Blocked time counts in the span alone: Muller and Acar, SPAA 2016.
FILCH_EXPORT predicted_time predict(const result& of, unsigned workers) noexcept;

/// The analysis with the work that an unwatched run on one worker took, and its spans in
/// proportion: that work is measured without the doubt of watching.
FILCH_EXPORT result with_work(result of, double work_ns);

/// The analysis as it would be if the code of `of.sites[site]` were `times` as fast.
/// `result::span_ns` falls by the part of that site on the present longest chain. This is a lower
/// bound, as another chain may become the longest.
FILCH_EXPORT result what_if(result of, std::size_t site, double times);

/// How much longer the leaves of a site should be, as a factor. Above 1 if its forks cost more than
/// a twentieth of its work. Below 1 if one leaf is so long that `workers` workers would wait for
/// it. 1 if there is nothing to gain.
FILCH_EXPORT double suggested_grain(const result& of, const site& leaves_of,
                                    unsigned workers) noexcept;

}  // namespace filch::analysis

// Constants, not functions: an argument of `filch::analysis` also finds the new function, and a
// call that finds both would be ambiguous.
namespace filch::inline v0_2 {

/// As they were called in 0.1.
using predicted_time [[deprecated("use analysis::predicted_time; gone with 0.3")]] =
    analysis::predicted_time;
[[deprecated("use analysis::predict; gone with 0.3")]] inline constexpr auto& predict =
    analysis::predict;
[[deprecated("use analysis::with_work; gone with 0.3")]] inline constexpr auto& with_work =
    analysis::with_work;
[[deprecated("use analysis::what_if; gone with 0.3")]] inline constexpr auto& what_if =
    analysis::what_if;
[[deprecated(
    "use analysis::suggested_grain; gone with 0.3")]] inline constexpr auto& suggested_grain =
    analysis::suggested_grain;

}  // namespace filch
