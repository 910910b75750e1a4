#pragma once
// What writer and reader of a file agree on. README.md, "The file", says it in words.
#include <filch/event/recording.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace filch::trace {

inline constexpr std::string_view file_magic{
    "\x89"
    "filch\r\n",
    8};
inline constexpr std::uint64_t file_version = 1;

/// The parts of a file, in this order; the part `worker` once for each worker that has events,
/// `analysis` where the program was watched, `facts` where there are any. A reader passes over
/// parts that it does not know.
namespace part {
inline constexpr std::string_view about = "about", names = "names", pools = "pools",
                                  workers = "workers", sites = "sites", worker = "worker",
                                  analysis = "analysis", facts = "facts", end = "end";
}  // namespace part

/// Numbers of the whole recording, each with its name; those that are 0 are left out, and a reader
/// passes over names that it does not know.
struct fact {
  std::string_view name;
  std::uint64_t event::recording::*value;
};
inline constexpr std::array<fact, 3> facts{{{"fork_ps", &event::recording::fork_ps},
                                            {"reused_rings", &event::recording::reused_rings},
                                            {"throttled_ns", &event::recording::throttled_ns}}};

enum class packing : std::uint8_t { plain, deflate };

/// What `packing` keeps must give these again. Source: Fowler, Noll, Vo (FNV-1a), of 32 bits.
constexpr std::uint32_t checksum(std::string_view bytes) noexcept {
  std::uint32_t sum = 2166136261u;
  for (const char each : bytes) sum = (sum ^ static_cast<unsigned char>(each)) * 16777619u;
  return sum;
}

/// How the values of a column follow each other.
/// As they are; or each as what it adds to the one before.
enum class coding : std::uint8_t { values, steps };

/// One number of every event of a worker. Columns compress better than events: a worker does the
/// same things again and again.
struct column {
  std::string_view name;
  coding how;
  std::uint64_t (*get)(const event::entry&);
};

// A number of which 0 is by far the commonest is best kept small: nobody is 0, and worker `i` is
// `i` + 1.
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
