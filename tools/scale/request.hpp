#pragma once
// What the command line asks for.
#include <filch/testing/machine/machine.hpp>

#include <string>
#include <vector>

namespace filch::scaling {

/// "1,2,4,...,64": dots go on as the two numbers before them, by their ratio.
/// Throws: `std::invalid_argument` with the cause.
std::vector<unsigned> worker_counts(const std::string& text);
/// 1, 2, 4, ... and `cores`.
std::vector<unsigned> usual_worker_counts(unsigned cores);

/// The machine of a file, or one of the installed ones.
/// Throws: `std::invalid_argument`, or `std::system_error` that names the file.
testing::machine find_machine(const std::string& name);

}  // namespace filch::scaling
