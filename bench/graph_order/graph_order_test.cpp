#include <bench/graph_order/simulated.hpp>
#include <gtest/gtest.h>

namespace {

using namespace bench::graph_order;

TEST(graph_order, there_are_twenty_graphs_whose_nodes_come_after_earlier_ones) {
  const std::vector<dag> all = all_dags();
  EXPECT_EQ(all.size(), 20u);
  for (const dag& each : all) {
    EXPECT_EQ(each.of.nodes(), each.us.size());
    EXPECT_GE(each.us.size(), 50u) << each.name;
    for (std::uint32_t i = 0; i != each.of.nodes(); ++i)
      for (const std::uint32_t* source = each.of.begin(i); source != each.of.end(i); ++source)
        EXPECT_LT(*source, i) << each.name;
  }
}

TEST(graph_order, they_are_the_same_each_time) {
  const std::vector<dag> one = all_dags(), other = all_dags();
  for (std::size_t i = 0; i != one.size(); ++i) EXPECT_EQ(one[i].us, other[i].us);
}

/// Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 1969: no list
/// scheduling exceeds the sum of span and an equal share of the work.
void expect_within_bounds(const dag& of, unsigned workers, double us) {
  const double share = work_us(of) / workers, span = span_us(of);
  EXPECT_GE(us * 1.000001, std::max(share, span)) << of.name << ", workers: " << workers;
  EXPECT_LE(us, (share + span) * 1.000001) << of.name << ", workers: " << workers;
}

TEST(graph_order, a_simulated_run_is_within_the_bounds_of_list_scheduling) {
  for (const dag& each : all_dags()) {
    for (const unsigned workers : {1u, 2u, 8u, 32u}) {
      expect_within_bounds(each, workers, simulated_us<by_critical_path>(each, workers));
      expect_within_bounds(each, workers, simulated_us<by_arrival>(each, workers));
    }
  }
}

TEST(graph_order, the_critical_path_goes_first_in_a_simulated_run) {
  shape of;  // three short nodes, then a long one: by arrival the last one made ready goes first
  of.add({});
  of.add({0});
  of.add({0});
  of.add({0});
  const dag made{"star", of, {1, 100, 10, 10}};
  EXPECT_DOUBLE_EQ(simulated_us<by_critical_path>(made, 2), 101);
}

TEST(graph_order, the_critical_path_is_never_two_percent_slower_in_a_simulated_run) {
  for (const dag& each : all_dags())
    for (const unsigned workers : {2u, 8u, 32u})
      EXPECT_LE(simulated_us<by_critical_path>(each, workers),
                1.02 * simulated_us<by_arrival>(each, workers))
          << each.name << ", workers: " << workers;
}

}  // namespace
