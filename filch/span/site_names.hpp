#pragma once
// Which code an address belongs to, and how to call it briefly.
#include <filch/event/recording.hpp>

#include <string>
#include <string_view>

namespace filch::span {

/// Fills in module, offset and name of the site at `where.address` in this process, as far as they can be found.
///
/// Cost: reads the table of symbols of the file that the address lies in; some milliseconds for a large program.
/// Names come from that table, which `strip` removes; then the name is empty unless the function is exported.
void name_site(event::call_site& where);

/// What a person would call the code of a fork, from the demangled name of the function that runs its job elsewhere: the user's own
/// function that it names, as far as there is one, else filch's algorithm. "loop in bench::sum::on_filch", "bench::fib::on_filch".
std::string short_name(std::string_view demangled);

}  // namespace filch::span
