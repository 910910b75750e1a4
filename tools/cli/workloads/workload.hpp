#pragma once
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace filch::cli {

/// What a workload found, for people and for programs.
struct summary {
  std::string text;
  nlohmann::json values;
  /// What the speed is counted in; 0 if nothing is worth counting.
  std::uint64_t item_count = 0;
  const char* items_are = "items";  ///< Their name, in the plural.
};

/// Something worth running: a problem with its options, its solution on filch, and a check that
/// does not trust the solution.
class workload {
 public:
  virtual ~workload() = default;

  virtual void add_options(CLI::App& command) = 0;
  /// The size chosen, for the heading: "T1", "n = 39".
  virtual std::string size() const = 0;
  virtual unsigned usual_repeats() const { return 3; }
  /// Makes the input anew before each run. Not timed.
  virtual void prepare() {}
  /// Solves the problem inside a pool. Timed.
  virtual void solve() = 0;
  /// Says what is wrong with the solution; empty when nothing.
  virtual std::string check() const = 0;
  /// What `check` compares with, to be read after "agrees with".
  virtual const char* checked_against() const = 0;
  virtual summary summarise() const = 0;
  /// Prints for people what a line cannot say. Only if the solution is right.
  virtual void list_findings() const {}
  /// Writes the solution to a file, if one was asked for, and returns its name. Only if the
  /// solution is right.
  virtual std::string write_file() const { return {}; }
};

struct workload_entry {
  const char* name;
  const char* purpose;
  std::unique_ptr<workload> (*make)();
};

/// All there are, in the order in which they are listed.
std::span<const workload_entry> all_workloads();

/// Adds to `parent` the command that runs, checks and reports one workload.
void add_workload_command(CLI::App& parent, const workload_entry& entry, int& exit_code);

// One file each, but both sorts in one.
std::unique_ptr<workload> make_uts();
std::unique_ptr<workload> make_fib();
std::unique_ptr<workload> make_nqueens();
std::unique_ptr<workload> make_integrate();
std::unique_ptr<workload> make_quicksort();
std::unique_ptr<workload> make_mergesort();
std::unique_ptr<workload> make_matmul();
std::unique_ptr<workload> make_fft();
std::unique_ptr<workload> make_mandelbrot();
std::unique_ptr<workload> make_sum();
std::unique_ptr<workload> make_duplicates();

}  // namespace filch::cli
