#pragma once
// Runs the `filch` program as a user does.
#include <filch/base/scratch_folder.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace filch::cli {

namespace fs = std::filesystem;

inline std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream{path, std::ios::binary}.rdbuf();
  return text.str();
}

struct outcome {
  int exit_code;
  std::string output, errors;
};

/// Runs the program through the shell; `before` goes in front, as environment settings do.
inline outcome run_filch(const std::string& arguments, const std::string& before = "") {
  const base::scratch_folder scratch;
  const fs::path output = scratch / "output", errors = scratch / "errors";
  const std::string command = fmt::format("{} '{}' {} > '{}' 2> '{}'", before, FILCH_PROGRAM,
                                          arguments, output.string(), errors.string());
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(output),
          content(errors)};
}

inline nlohmann::json json_of(const outcome& run) {
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.errors, "");
  return nlohmann::json::parse(run.output);
}

}  // namespace filch::cli
