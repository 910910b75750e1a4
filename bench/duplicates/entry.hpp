#pragma once
#include <bench/duplicates/problem.hpp>
#include <bench/harness/contender.hpp>

namespace bench::duplicates {

inline constexpr identity as(const char* peer) {
  return {.problem = "duplicates", .peer = peer, .variant = "/usr/share/doc"};
}

/// Times `solve(parameters)` on the directory that `--case` names, after an untimed search that
/// brings it into memory.
template <class Solve>
void measure(contender& me, Solve solve) {
  const parameters p{.roots = {me.variant()}};
  solve(p);
  me.measure(p, solve, [](const parameters&, const answer& found) { return check(found); });
}

}  // namespace bench::duplicates
