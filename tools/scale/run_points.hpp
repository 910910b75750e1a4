#pragma once
// Runs workloads on a simulated machine, each point in a process of its own.
#include <filch/testing/machine/scale.hpp>
#include <nlohmann/json.hpp>
#include <tools/scale/workload.hpp>

#include <functional>
#include <string>
#include <vector>

namespace filch::scaling {

/// A number of workers that a workload runs with.
struct point_request {
  const workload* what = nullptr;
  std::uint64_t size = 0;
  unsigned workers = 0;
};

/// A point, or why there is none.
struct point {
  point_request asked;
  testing::scale_point result = {};
  std::uint64_t timed_ns = 0;  ///< Of the part that matters; as a rule `result.ns`.
  double nodes = 0;            ///< That the body declared.
  std::string failure = {};
};

struct run_options {
  testing::machine on;
  std::uint64_t seed = 0;
  double node_ns = -1;   ///< In place of the workload's own; negative: that.
  unsigned at_once = 2;  ///< So many processes.
};

/// Runs all of them, and calls `done` as each ends. The points are in the order of the requests.
/// Threads: the process has no other thread, as it forks.
std::vector<point> run_points(const std::vector<point_request>& requests, const run_options& how,
                              const std::function<void()>& done);

/// Runs one in this process. Throws: what the simulation throws.
point run_point(const point_request& asked, const run_options& how);

nlohmann::json to_json(const point& of);

}  // namespace filch::scaling
