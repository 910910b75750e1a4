#pragma once
// Another program, run with other settings of the environment.
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace filch::cli {

struct child_end {
  int exit_code = 0;  ///< 128 and the number of the signal if one killed it.
  std::int64_t wall_ns = 0;
};

/// Runs `command`, found as the shell finds it, and waits for it. Its output goes to `output`, both
/// kinds; its input is empty.
/// Throws: `std::system_error` naming what could not be started.
child_end run_child(const std::vector<std::string>& command,
                    const std::vector<std::pair<std::string, std::string>>& settings,
                    const std::filesystem::path& output);

}  // namespace filch::cli
