#pragma once
#include <filch/event/counters.hpp>
#include <filch/trace/segment.hpp>

#include <vector>

namespace filch::trace {

/// A worker of a process that records, and what it had counted when it last reported.
struct counted_worker {
  row_owner who;
  std::uint32_t slot_count = 0;  ///< Of its pool.
  std::int64_t thread = 0;       ///< As the kernel knows it; 0: not known.
  std::uint64_t ready_jobs = 0;  ///< In the ready queue of its slot.
  event::counted counters;
};

struct counted_process {
  /// By pool and index; those that are gone as long as nobody has their rings.
  std::vector<counted_worker> workers;
  /// As of when: of a process that records no more, when it stopped or was last heard of.
  std::uint64_t now_ticks = 0;
  double ns_per_tick = 1;
  bool is_alive = false;
  bool is_recording = false;
};

/// What lies in a segment beside the records. The writers go on meanwhile.
counted_process read_counted(const segment_view& segment);

}  // namespace filch::trace
