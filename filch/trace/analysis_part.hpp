#pragma once
// The part of a file that holds work and span (`file_format.hpp`).
#include <filch/event/analysis.hpp>
#include <filch/trace/bytes.hpp>

namespace filch::inline v0_2::trace {

byte_writer analysis_part(const analysis::result& of);
/// Throws: `bad_file`.
analysis::result read_analysis(byte_reader& part);

/// A call site, in that part and in the table of sites.
void put_site(byte_writer& part, const event::call_site& site);
event::call_site take_site(byte_reader& part);

}  // namespace filch::trace
