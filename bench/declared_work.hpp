#pragma once
// What the steps of a problem cost, for a simulated machine (tools/scale). Nothing in programs that
// link `filch::filch`.
#include <filch/testing/points.hpp>

#include <cstdint>

namespace bench {

/// What a simulation charges for.
struct declared {
  double node_ns = 0;  ///< What a node of the problem costs.
  double owed_ns = 0;  ///< The fraction of a nanosecond that is not charged yet.
  double nodes = 0;    ///< So many were declared.
};

/// One for all threads: in a simulation one of them runs at a time.
inline declared work;

/// The calling thread works on so many nodes of the problem.
[[gnu::always_inline]] inline void declare_work([[maybe_unused]] double nodes = 1) noexcept {
  if constexpr (filch::base::can_simulate) {
    work.nodes += nodes;
    work.owed_ns += nodes * work.node_ns;
    if (work.owed_ns < 1) return;
    const auto whole = static_cast<std::uint64_t>(work.owed_ns);
    work.owed_ns -= static_cast<double>(whole);
    filch::testing::spend(whole);
  }
}

}  // namespace bench
