#pragma once

namespace filch::inline v0_2::testing {

/// The guarantee that the model assumes of the light/heavy pair. A protocol that relies on the pair
/// is sound under the first two.
enum class fence_pair {
  /// Both are seq_cst fences: what P1202 promises if a single thread uses the light one, as ours
  /// do.
  two_fences,
  /// Light is nothing, heavy a fence in every thread at once, as in Linux. Two light ones order
  /// nothing.
  membarrier,
  /// Neither guarantees anything: a protocol that survives this does not need the pair.
  none,
};

}  // namespace filch::testing
