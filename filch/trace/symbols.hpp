#pragma once
#include <filch/event/recording.hpp>

#include <string_view>
#include <vector>

namespace filch::inline v0_2::trace {

/// Finds for each site the file of its code, its offset there, and its name by the file's symbols
/// (`short_name`), as far as known: `strip` removes all names except those of exported functions.
/// `mappings` are lines of /proc/PID/maps of the process that ran.
void name_sites(std::vector<event::call_site>& sites, std::string_view mappings);

/// The demangled name of the function that covers `offset` (of the file) in an ELF file's table of
/// symbols. Empty if none covers it, or the file is no ELF file. Reading touches nothing outside
/// the file, whatever lies in it.
std::string function_at(std::string_view file_contents, std::uint64_t offset);

}  // namespace filch::trace
