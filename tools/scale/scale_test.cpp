#include <gtest/gtest.h>
#include <tools/scale/show.hpp>
#include <tools/scale/validate.hpp>

#include <set>

namespace {

using namespace filch::scaling;

/// Small enough for a test.
std::uint64_t tiny_size(const workload& of) {
  const std::string name = of.name;
  if (name == "fib") return 12;
  if (name == "uts") return 3;
  if (name == "nqueens") return 5;
  if (name == "skynet") return 100;
  if (name == "integrate") return 100;
  if (name == "spawn") return 10'000;  // a batch
  if (name == "few") return 3;
  if (name == "bursts" || name == "idle") return 2;
  return 256;
}

std::vector<point> run_all(const std::vector<point_request>& requests) {
  filch::testing::machine four_cores;
  four_cores.cores_per_cache = 4;
  return run_points(requests, {.on = four_cores}, [] {});
}

TEST(workloads, have_names_and_sizes_of_their_own) {
  std::set<std::string> names;
  for (const workload& each : all_workloads()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_EQ(&find_workload(each.name), &each);
    EXPECT_GE(each.size, each.small_size) << each.name;
  }
  EXPECT_THROW(find_workload("nothing"), std::invalid_argument);
}

TEST(workloads, do_their_work_with_one_worker_and_with_three) {
  std::vector<point_request> requests;
  for (const workload& each : all_workloads()) {
    for (const unsigned workers : {1u, 3u}) requests.push_back({&each, tiny_size(each), workers});
  }
  for (const point& each : run_all(requests)) {
    EXPECT_EQ(each.failure, "") << each.asked.what->name << ", workers " << each.asked.workers;
    EXPECT_GT(each.timed_ns, 0u) << each.asked.what->name;
  }
}

TEST(workloads, declare_what_they_do) {
  // Each call is a node, and there are 2 fib(n + 1) - 1
  const point ran = run_point({&find_workload("fib"), 10, 1}, {.on = {}, .node_ns = 100});
  EXPECT_EQ(ran.nodes, 177);
  EXPECT_EQ(ran.result.spent_ns, 17'700u);
  const point fraction = run_point({&find_workload("fib"), 10, 1}, {.on = {}, .node_ns = 0.25});
  EXPECT_NEAR(static_cast<double>(fraction.result.spent_ns), 177 * 0.25, 1);
}

TEST(workloads, take_half_of_the_time_on_two_cores) {
  const std::vector<point> all =
      run_all({{&find_workload("many"), 1000, 1}, {&find_workload("many"), 1000, 2}});
  EXPECT_NEAR(speed_up(all, all[1]), 2, 0.1);
}

TEST(points, tell_what_went_wrong) {
  // A batch has 10,000 tasks
  const point failed = run_all({{&find_workload("spawn"), 7, 1}}).front();
  EXPECT_NE(failed.failure, "");
  EXPECT_EQ(to_json(failed)["failure"], failed.failure);
}

TEST(points, say_of_every_output_that_it_is_a_simulation) {
  simulated_machine of;
  of.on.name = "big";
  of.on.note = "as published";
  EXPECT_NE(about(of).find("simulation of big"), std::string::npos);
  EXPECT_NE(about(of).find("as published"), std::string::npos);
  EXPECT_NE(about(of).find("not known"), std::string::npos);
  of.error = known_error{"small", 0.07, 0.19};
  EXPECT_NE(about(of).find("7 % in the median, 19 % at most"), std::string::npos) << about(of);
  sources from{"."};
  EXPECT_EQ(everything({}, of, from)["simulation"], about(of));
}

TEST(validation, sums_errors_up_by_their_size) {
  std::vector<comparison> all(3);
  const double predicted[] = {90, 150, 105};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].measured_ns = 100;
    all[i].predicted_ns = predicted[i];
  }
  EXPECT_NEAR(summarize(all).median, 0.1, 1e-9);
  EXPECT_NEAR(summarize(all).largest, 0.5, 1e-9);
}

}  // namespace
