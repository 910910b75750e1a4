#pragma once
#include <compare/scheduler.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace filch::compare {

/// Says what is wrong with an answer; empty when nothing. Kept apart from the run, so that checking
/// is not timed.
using verdict = std::function<std::string()>;

/// A problem with its size fixed, ready to be run by plain recursion and by any scheduler.
struct workload {
  std::string title;  ///< As "uts T1".
  /// What a job is here and what is done by plain calls, the same for all schedulers.
  std::string jobs_are;
  std::function<verdict()> run_serial;
  std::function<verdict(scheduler&)> run_on;
};

enum class cutoff { natural, none };

struct workload_kind {
  std::string_view name;
  std::string_view size_help;
  /// An empty `size` means the usual one. Throws: `std::invalid_argument` that says what is wrong
  /// with `size`.
  workload (*make)(const std::string& size, cutoff leaves);
};

std::vector<std::string> workload_names();

/// Throws: `std::invalid_argument` that lists the names when `name` is none of them, or that says
/// what is wrong with `size`.
workload make_workload(std::string_view name, const std::string& size, cutoff leaves);

/// One line for each workload: its name and what its size means.
std::string workload_help();

}  // namespace filch::compare
