#pragma once
// The part of a file that holds runs of task graphs (`file_format.hpp`).
#include <filch/event/graph_run.hpp>
#include <filch/trace/bytes.hpp>

#include <vector>

namespace filch::inline v0_2::trace {

byte_writer graphs_part(const std::vector<event::graph_run>& all);
/// Throws: `bad_file`.
std::vector<event::graph_run> read_graphs(byte_reader& part);

}  // namespace filch::trace
