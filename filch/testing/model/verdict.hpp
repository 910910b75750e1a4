#pragma once
#include <cstdint>
#include <string>

namespace filch::inline v0_2::testing {

enum class checker : unsigned char { relacy, explorer };

/// The result of a checker.
struct verdict {
  bool is_broken = false;
  bool is_complete = false;  ///< Nothing was left out.
  std::uint64_t execution_count = 0;
  std::uint64_t state_count = 0;  ///< Distinct; 0 if the checker does not tell states apart.
  std::string extent;             ///< COMPLETE, or what bounded the search.
  /// Of an execution that breaks: the finding, then its steps.
  std::string history;
};

/// A search over all executions within the scenario's bounds, or one that ends as early as it can
/// with an execution that breaks.
enum class search_goal : unsigned char { everything, a_break };

}  // namespace filch::testing
