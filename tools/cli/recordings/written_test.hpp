#pragma once
// Recordings in files, and what the program says of them.
#include <tools/cli/recordings/load.hpp>
#include <tools/cli/terminal_test.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace filch::cli {

/// Runs the program with each argument as it is; errors come with the output.
inline outcome filch_says(const std::vector<std::string>& arguments,
                          const std::string& settings = "") {
  outcome said = run_filch(fmt::format("'{}'", fmt::join(arguments, "' '")), settings);
  said.output += said.errors;
  return said;
}

/// A recording in a file.
class written {
 public:
  explicit written(const event::recording& what) {
    std::ofstream{folder_ / "run.filch"} << to_text_form(what);
  }
  std::string name() const { return (folder_ / "run.filch").string(); }

 private:
  base::scratch_folder folder_;
};

struct paper {
  std::size_t lines = 0, widest = 0;
};

inline paper size_of(const std::string& text) {
  paper made;
  std::istringstream all{text};
  for (std::string line; std::getline(all, line); ++made.lines)
    made.widest = std::max(made.widest, line.size());
  return made;
}

}  // namespace filch::cli
