#pragma once

namespace filch::testing {

/// What the light/heavy pair is taken to guarantee. A protocol that relies on it is sound under the
/// first two.
enum class fence_pair {
  /// Both are seq_cst fences: what P1202 promises wherever a single thread uses the light one, as
  /// ours do.
  two_fences,
  /// Light is nothing, heavy a fence in every thread at once: what Linux does. Two light ones order
  /// nothing.
  membarrier,
  /// Neither guarantees anything: a protocol that survives this does not need the pair.
  none,
};

}  // namespace filch::testing
