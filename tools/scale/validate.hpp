#pragma once
// Simulated runs beside real ones of the same workloads.
#include <tools/scale/run_points.hpp>

#include <functional>
#include <string>
#include <vector>

namespace filch::scaling {

/// What a workload took here and in the simulation of this machine.
struct comparison {
  const workload* what = nullptr;
  unsigned workers = 0;
  double node_ns = 0;  ///< Of its serial run, or of the table if it has none.
  double measured_ns = 0;
  double predicted_ns = 0;
  std::string failure = {};

  /// 0.1: the simulation says a tenth too much.
  double error() const noexcept { return predicted_ns / measured_ns - 1; }
};

struct validation_options {
  run_options how;
  unsigned rounds = 5;  ///< Of all real runs, one after the other.
  std::vector<unsigned> workers = {1, 2};
};

/// Those that are compared if the command line names none.
std::vector<const workload*> validated_workloads();

/// Runs `filch-scale-real`, which lies beside this program, and the simulation.
/// Throws: `std::runtime_error` if there is no such program, or a real run fails.
std::vector<comparison> validate(const std::vector<const workload*>& chosen,
                                 const validation_options& how, const std::function<void()>& step);

/// The median of the errors' sizes, and the largest.
struct error_summary {
  double median = 0, largest = 0;
};
error_summary summarize(const std::vector<comparison>& all);

void print(const std::vector<comparison>& all, const testing::machine& on);
nlohmann::json to_json(const std::vector<comparison>& all, const testing::machine& on);

}  // namespace filch::scaling
