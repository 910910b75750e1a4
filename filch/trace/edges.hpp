#pragma once
#include <filch/base/order.hpp>

namespace filch::inline v0_2::trace {

/// The orders of the recorder, each with what breaks without it. Witnesses: ring_model.cpp.
enum class edge {
  /// Writer: fill a place of the ring, raise head.   Reader: read head, read the place.
  /// Without it a reader returns an older value of the place as if it were the record.
  publish,
  /// Writer: raise head, later write over the place.   Reader: read the place, read head again.
  /// Without it a reader returns a half overwritten record, as it still sees the old head.
  overwrite,
  /// Recorder: release a row, give it to another worker, which then writes.   Reader: read the
  /// owner, copy, read the owner again. Without it a reader takes the records of one worker for
  /// those of another.
  change_hands,
  /// Recorder: prepare a ring writer, hand it to its worker.   Worker: find it, write through it.
  /// Without it a worker uses a ring writer that it has not seen built.
  switch_on,
};

}  // namespace filch::trace
