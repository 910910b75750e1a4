#pragma once
// How a cell of the grain sweep is judged: by an interval for a median of ratios, each of two loops
// of the same round.
#include <bench/harness/settling.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace bench::grain {

/// Seconds, of one contender, a round each.
using samples = std::vector<double>;

/// Some 60 verdicts make a table: so hardly any of them is false by chance.
inline constexpr double probability = 0.999;

/// A median, and the bounds between which it lies with `probability`; without bounds if there are
/// too few values.
struct interval {
  double low = 0, middle = 0, high = 0;
  bool is_bounded = false;
};

/// The median of `values`, which must not be empty, whatever their distribution.
inline interval median_interval(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t k = settling::rank(values.size(), probability);
  if (k == 0) return {values.front(), settling::median(values), values.back(), false};
  return {values[k - 1], settling::median(values), values[values.size() - k], true};
}

enum class verdict { held, open, missed };

/// Missed, or held, is what the whole interval says.
constexpr verdict judge(const interval& found, double bar) noexcept {
  if (!found.is_bounded) return verdict::open;
  return found.low > bar ? verdict::missed : found.high <= bar ? verdict::held : verdict::open;
}

/// Every second one, from number `from` on.
inline samples half_of(const samples& all, std::size_t from) {
  samples half;
  for (std::size_t i = from; i < all.size(); i += 2) half.push_back(all[i]);
  return half;
}

/// Which of `contenders` has the least median.
inline std::size_t fastest(std::span<const samples> contenders, std::size_t half) {
  std::vector<double> medians;
  for (const samples& each : contenders) medians.push_back(settling::median(half_of(each, half)));
  return static_cast<std::size_t>(std::ranges::min_element(medians) - medians.begin());
}

/// `ours` over the fastest of `others`, round by round; which that is the other half of the rounds
/// says. The fastest of six that are equal is below each of them, but not in rounds that had no
/// part in the choice.
inline std::vector<double> ratios_to_fastest(const samples& ours, std::span<const samples> others) {
  std::vector<double> ratios;
  for (std::size_t half = 0; half != 2 && ours.size() > 1; ++half) {
    const samples& chosen = others[fastest(others, 1 - half)];
    for (std::size_t round = half; round < ours.size(); round += 2)
      ratios.push_back(ours[round] / chosen[round]);
  }
  return ratios;
}

/// `ours` over what is allowed beside a plain loop, 1.05 times its seconds and 2 us, round by
/// round.
inline std::vector<double> ratios_to_allowed(const samples& ours, const samples& plain) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < ours.size(); ++round)
    ratios.push_back(ours[round] / (1.05 * plain[round] + 2e-6));
  return ratios;
}

}  // namespace bench::grain
