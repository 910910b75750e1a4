#pragma once
// The format of a file: eight bytes of magic, the version, then parts. Each part has a name, its
// packing, its size, a checksum and its bytes. Numbers are varints, signed ones zigzag
// (`bytes.hpp`).
#include <filch/event/recording.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace filch::inline v0_2::trace {

inline constexpr std::string_view file_magic{
    "\x89"
    "filch\r\n",
    8};
inline constexpr std::uint64_t file_version = 1;

/// The parts of a file, in this order. A reader skips parts that it does not know.
///
/// - `about`: program, process id, length in ns; then its arguments, which older files lack.
/// - `names`: the kinds and activities by name, so a file explains its own numbers.
/// - `pools`, `workers`, `sites`: the tables of `event::recording`.
/// - `worker`, once for each worker with events: its columns, each with name, coding and length.
/// - `facts`, if there are any: the numbers below.
/// - `analysis`, if the program was watched: its sites as in `sites`, then the tables of sites, of
///   all and of costs. Each field has its name, its coding (0 count, 1 real, 2 histogram) and its
///   length.
/// - `graphs`, if task graphs ran: of each its name and its nodes, with name, outcome and
///   successors, and the table of nodes; then the table of graphs. Fields as in `analysis`.
/// - `end`: the number of events. A file without it was cut off, and is refused.
namespace part {
inline constexpr std::string_view about = "about", names = "names", pools = "pools",
                                  workers = "workers", sites = "sites", worker = "worker",
                                  analysis = "analysis", graphs = "graphs", facts = "facts",
                                  end = "end";
}  // namespace part

/// Numbers of the whole recording, each with its name. Those that are 0 are left out, and a reader
/// skips names that it does not know.
struct fact {
  std::string_view name;
  std::uint64_t event::recording::*value;
};
inline constexpr std::array<fact, 7> facts{{{"fork_ps", &event::recording::fork_ps},
                                            {"reused_rings", &event::recording::reused_rings},
                                            {"throttled_ns", &event::recording::throttled_ns},
                                            {"processors", &event::recording::processors},
                                            {"user_ns", &event::recording::user_ns},
                                            {"kernel_ns", &event::recording::kernel_ns},
                                            {"page_faults", &event::recording::page_faults}}};

enum class packing : std::uint8_t { plain, deflate };

/// Of a part's bytes when unpacked. Source: Fowler, Noll, Vo (FNV-1a), of 32 bits.
constexpr std::uint32_t checksum(std::string_view bytes) noexcept {
  std::uint32_t sum = 2166136261u;
  for (const char each : bytes) sum = (sum ^ static_cast<unsigned char>(each)) * 16777619u;
  return sum;
}

/// The values of a column: as they are, or each as the difference to the one before.
enum class coding : std::uint8_t { values, steps };

/// One number of every event of a worker. Columns compress better than events: a worker does the
/// same things again and again.
struct column {
  std::string_view name;
  coding how;
  std::uint64_t (*get)(const event::entry&);
};

// `nobody` is by far the commonest value, so it is stored as 0, and worker `i` as `i` + 1.
constexpr std::uint64_t optional_number(std::uint16_t value) noexcept {
  return value == event::record::nobody ? 0 : value + std::uint64_t{1};
}

inline constexpr std::array<column, 7> file_columns{{
    {"time_ns", coding::steps,
     [](const event::entry& e) { return static_cast<std::uint64_t>(e.at_ns); }},
    {"kind", coding::values,
     [](const event::entry& e) { return static_cast<std::uint64_t>(e.what.what); }},
    {"activity", coding::values,
     [](const event::entry& e) { return static_cast<std::uint64_t>(e.what.doing); }},
    {"ready", coding::values,
     [](const event::entry& e) { return static_cast<std::uint64_t>(e.what.ready); }},
    {"slot", coding::values, [](const event::entry& e) { return optional_number(e.what.slot); }},
    {"other", coding::values, [](const event::entry& e) { return optional_number(e.what.other); }},
    {"amount", coding::values, [](const event::entry& e) { return std::uint64_t{e.what.amount}; }},
}};

}  // namespace filch::trace
