#pragma once
#include <filch/event/recording.hpp>

#include <string_view>
#include <vector>

namespace filch::trace {

/// Says of each site in which file its code lies, where in it, and by the file's symbols what it is
/// called (`short_name`); as far as that is known: `strip` removes all names but those of exported
/// functions. `mappings` are lines of /proc/PID/maps of the process that ran.
void name_sites(std::vector<event::call_site>& sites, std::string_view mappings);

/// The demangled name of the function that covers `offset` (of the file) in an ELF file's table of
/// symbols; empty where none does or the file is none. Reading touches nothing outside the file,
/// whatever lies in it.
std::string function_at(std::string_view file_contents, std::uint64_t offset);

}  // namespace filch::trace
