#pragma once
#include <filch/event/recording.hpp>
#include <filch/trace/segment.hpp>

namespace filch::inline v0_2::trace {

/// Decodes a segment, from `begin_ticks` or the time when recording was last switched on, up to now
/// or the time when it was switched off. Of a dead process, up to its last record. The writers may
/// go on meanwhile.
event::recording collect(const segment_view& segment, std::uint64_t begin_ticks = 0);

}  // namespace filch::trace
