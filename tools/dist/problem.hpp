#pragma once
// What `filch-dist` runs: problems with options, a solution on all ranks, and a check.
#include <CLI/CLI.hpp>
#include <filch/dist.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace filch::dist_cli {

/// What a run found; on every rank.
struct outcome {
  std::string text;   ///< "4,130,071 nodes, depth 10".
  std::string wrong;  ///< What is wrong with it; empty if nothing.
  nlohmann::json values;
  std::vector<std::string> lines{};  ///< To print below.
};

class problem {
 public:
  virtual ~problem() = default;
  virtual void add_options(CLI::App& command) = 0;
  /// Called on all ranks.
  virtual outcome solve(dist::communicator& ranks, const dist::run_options& options) = 0;
  /// What decides the result: ranks and checkpoints with another text are refused.
  virtual std::string parameters() const = 0;
  /// What a task is, in the plural.
  virtual const char* tasks_are() const = 0;
};

std::unique_ptr<problem> make_uts();
std::unique_ptr<problem> make_nqueens();
std::unique_ptr<problem> make_mandelbrot();
std::unique_ptr<problem> make_find();

}  // namespace filch::dist_cli
