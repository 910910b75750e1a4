#pragma once
#include <filch/trace/session.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace filch::trace {

/// What FILCH_TRACE says: "out.filch", "out.filch:steal", "out.filch:jobs" or "out.filch:span"; %p
/// in the name stands for the number of the process.
struct trace_request {
  trace_options asked;
  std::string problem;  ///< Why the text asks for nothing that can be done; empty where it does.
};
trace_request parse_request(std::string_view text, std::int64_t process_id);

/// How many records a ring holds, by the text of FILCH_TRACE_RING: rounded up to a power of two, or
/// 65,536 where it is empty.
/// Throws: `std::invalid_argument` naming the variable and its value.
std::uint64_t parse_ring_places(std::string_view text);
/// The same of the variable as it is set.
std::uint64_t ring_places_from_environment();

/// How big a spool may become, by the text of FILCH_TRACE_MAX_SIZE: bytes, or with K, M or G behind
/// them thousands of them and so on; 256 MB if it is empty, no spool if it is 0.
/// Throws: `std::invalid_argument` naming the variable and its value.
std::uint64_t parse_spool_bytes(std::string_view text);
std::uint64_t spool_bytes_from_environment();

}  // namespace filch::trace
