#pragma once
#include <bench/harness/contender.hpp>
#include <bench/uts/problem.hpp>

#include <stdexcept>

namespace bench::uts {

inline constexpr identity as(const char* peer) {
  return {.problem = "uts", .peer = peer, .variant = "T1"};
}

/// Times `solve(tree)` on the sample tree that `--case` names.
template <class Solve>
void measure(contender& me, Solve solve) try {
  const sample_tree& entry = sample(me.variant());
  me.measure(entry.parameters, solve,
             [&](const tree&, const tally& counted) { return check(entry, counted); });
} catch (const std::invalid_argument& error) {
  me.require(false, error.what());
}

}  // namespace bench::uts
