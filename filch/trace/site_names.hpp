#pragma once
#include <filch/base/language.hpp>

#include <string>
#include <string_view>

namespace filch::inline v0_2::trace {

/// A readable name for the code of a fork, from the demangled name of the function that runs its
/// job: the user's own function in that name, if there is one, else filch's algorithm. For example
/// "loop in bench::sum::on_filch" or "bench::fib::on_filch". A name with neither comes back as it
/// is.
std::string short_name(std::string_view demangled);

}  // namespace filch::trace
