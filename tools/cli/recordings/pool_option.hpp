#pragma once
#include <filch/span/observation.hpp>
#include <tools/cli/commands.hpp>

namespace filch::cli {

/// As the number of a pool: the one in which most work was done.
inline constexpr int busiest = -1;

void add_pool_option(CLI::App& command, int& pool);
/// The pool that was asked for. Throws: `bad_recording` if there is none.
std::uint32_t chosen_pool(const event::recording& from, int pool);

}  // namespace filch::cli
