#pragma once
#include <filch/base/language.hpp>

#include <string>
#include <string_view>

namespace filch::trace {

/// What a person would call the code of a fork, from the demangled name of the function that runs
/// its job elsewhere: the user's own function that it names, as far as there is one, else filch's
/// algorithm. "loop in bench::sum::on_filch", "bench::fib::on_filch". A name that says neither
/// comes back as it is.
std::string short_name(std::string_view demangled);

}  // namespace filch::trace
