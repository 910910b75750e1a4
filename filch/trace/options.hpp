#pragma once
#include <filch/trace/session.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace filch::inline v0_2::trace {

/// The value of FILCH_TRACE: "out.filch", "out.filch:steal", "out.filch:jobs" or "out.filch:span".
/// %p in the name stands for the process id.
struct trace_request {
  trace_options asked;
  std::string problem;  ///< What is wrong with the text; empty: nothing.
};
trace_request parse_request(std::string_view text, std::int64_t process_id);

/// The number of records in a ring, by the text of FILCH_TRACE_RING: rounded up to a power of two,
/// or 65,536 if the text is empty.
/// Throws: `std::invalid_argument` naming the variable and its value.
std::uint64_t parse_ring_places(std::string_view text);
/// The same of the variable as it is set.
std::uint64_t ring_places_from_environment();

/// The largest size of a spool in bytes, by the text of FILCH_TRACE_MAX_SIZE. A suffix K, M or G
/// stands for 10^3, 10^6 or 10^9. 256 MB if the text is empty; no spool if it is 0.
/// Throws: `std::invalid_argument` naming the variable and its value.
std::uint64_t parse_spool_bytes(std::string_view text);
std::uint64_t spool_bytes_from_environment();

}  // namespace filch::trace
