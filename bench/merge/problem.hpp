#pragma once
// Merges two sorted sequences of random numbers, one of a third and one of two thirds of them.
#include <bench/sort/problem.hpp>

namespace bench::merge {

inline constexpr identity as(const char* peer) {
  return {.problem = "merge", .peer = peer, .size = 10'000'000};
}

/// Times `peer.merge(left, right, out)`. `out` has been touched before.
template <class Peer>
void measure(contender& me, Peer& peer) {
  const auto count = me.size<std::size_t>();
  const auto all = sort::made_of_random<std::uint64_t>(count, [](std::uint64_t r) { return r; });
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(count / 3);
  std::vector<std::uint64_t> left(all.begin(), middle), right(middle, all.end());
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  for (unsigned i = 0; i != me.repeat(); ++i) {
    std::vector<std::uint64_t> out(count);
    const double seconds = seconds_of([&] { peer.merge(left, right, out); });
    const bool is_right =
        std::is_sorted(out.begin(), out.end()) && sort::fingerprint(out) == sort::fingerprint(all);
    me.report({{"seconds", seconds}},
              is_right ? "" : "what comes out is not what went in, in order");
  }
}

}  // namespace bench::merge
