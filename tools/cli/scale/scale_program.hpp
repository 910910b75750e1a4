#pragma once
#include <filesystem>

namespace filch::cli {

/// The program that simulates: beside this one, or where an installation has it.
/// Throws: `std::runtime_error` that says where it was looked for and how it is built.
std::filesystem::path find_scale_program();

}  // namespace filch::cli
