#pragma once
// Names of the words in hot lines: as the source has them.
#include <filch/testing/machine/scale.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace filch::scaling {

/// The word that `line` of a source accesses by a member function called `what`: the expression
/// before it, "range_" of "return range_.load(acquire<edge::take>);". Empty if there is none.
std::string word_in(std::string_view line, std::string_view what);

/// The path below the root of the sources: "filch/queue/fork_stack.hpp".
std::string path_in_sources(std::string_view file);

/// Reads source files as they are needed.
class sources {
 public:
  explicit sources(std::string folder) : folder_{std::move(folder)} {}

  /// The word that was accessed at `place`; empty if the file is not found, or the line has none.
  std::string word_at(const testing::hot_place& place);

 private:
  const std::vector<std::string>& lines_of(const std::string& file);

  std::string folder_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace filch::scaling
