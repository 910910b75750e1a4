#pragma once
#include <filch/event/counters.hpp>
#include <filch/trace/segment.hpp>

#include <vector>

namespace filch::inline v0_2::trace {

/// A worker of a process that records, and its counters when it last reported.
struct counted_worker {
  row_owner who;
  std::uint32_t slot_count = 0;  ///< Of its pool.
  std::int64_t thread = 0;       ///< As the kernel knows it; 0: not known.
  std::uint64_t ready_jobs = 0;  ///< In the ready queue of its slot.
  event::counted counters;
};

struct counted_process {
  /// By pool and index; past workers too, as long as no other worker has their rings.
  std::vector<counted_worker> workers;
  /// The time of all this: of a process that records no more, when it stopped or last reported.
  std::uint64_t now_ticks = 0;
  double ns_per_tick = 1;
  bool is_alive = false;
  bool is_recording = false;
};

/// Reads the counter snapshots (`counter_snapshot`) of a segment. The writers may go on meanwhile.
counted_process read_counted(const segment_view& segment);

}  // namespace filch::trace
