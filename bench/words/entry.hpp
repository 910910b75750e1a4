#pragma once
#include <bench/harness/contender.hpp>
#include <bench/words/problem.hpp>

namespace bench::words {

inline constexpr identity as(const char* peer) {
  return {.problem = "words", .peer = peer, .variant = "/usr/share/doc"};
}

/// Times `solve(files)` on the files below the folder that `--case` names; counting them serially
/// before brings them into memory.
template <class Solve>
void measure(contender& me, Solve solve) try {
  const std::vector<file> files = files_below(me.variant());
  const tally expected = serial(files);
  me.measure(
      &files, [&](const std::vector<file>* given) { return solve(*given); },
      [&](const std::vector<file>*, const tally& counted) { return check(expected, counted); });
} catch (const std::invalid_argument& error) {
  me.require(false, error.what());
}

}  // namespace bench::words
