#include <bench/bfs/filch.hpp>
#include <bench/triangles/filch.hpp>
#include <gtest/gtest.h>

#include <bit>

namespace {

using namespace bench;
using rmat::vertex;

constexpr unsigned pool_sizes[] = {1, 2, 5};

/// A square with one diagonal, a vertex that hangs on it, and one that nothing leads to.
rmat::graph small_graph() {
  std::vector<rmat::edge> edges;
  for (const auto& [from, to] : std::initializer_list<rmat::edge>{
           {0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {3, 4}, {0, 1}, {5, 5}}) {
    edges.push_back({from, to});
    edges.push_back({to, from});
  }
  return {6, edges};
}

TEST(rmat, a_graph_has_each_edge_once_in_both_directions_and_no_loop) {
  const rmat::graph g = small_graph();
  EXPECT_EQ(g.edge_count(), 12u);
  EXPECT_EQ(std::vector(g.neighbours(0).begin(), g.neighbours(0).end()),
            (std::vector<vertex>{1, 2, 3}));
  EXPECT_EQ(std::vector(g.neighbours(4).begin(), g.neighbours(4).end()), (std::vector<vertex>{3}));
  EXPECT_TRUE(g.neighbours(5).empty());
}

TEST(rmat, numbers_are_scrambled_one_to_one) {
  for (const unsigned scale : {1u, 2u, 7u, 12u}) {
    std::vector<bool> taken(std::size_t{1} << scale);
    for (vertex v = 0; v < taken.size(); ++v) {
      const vertex to = rmat::scrambled(v, scale);
      ASSERT_LT(to, taken.size());
      EXPECT_FALSE(taken[to]) << v << " at scale " << scale;
      taken[to] = true;
    }
  }
}

TEST(rmat, quarters_are_drawn_with_the_chances_of_graph500) {
  constexpr int draws = 100'000;
  filch::base::split_mix64 random{7};
  std::array<int, 4> counts{};
  for (int i = 0; i < draws; ++i) {
    const rmat::edge drawn = rmat::random_edge(random, 1);
    // At scale 1 scrambling changes nothing
    ++counts[rmat::scrambled(drawn.from, 1) * 2 + rmat::scrambled(drawn.to, 1)];
  }
  const std::array<double, 4> chances{0.57, 0.19, 0.19, 0.05};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(counts[i] / double{draws}, chances[i], 0.01) << i;
}

TEST(bfs, distances_of_a_small_graph) {
  const std::vector<std::uint32_t> expected{2, 3, 2, 1, 0, bfs::unseen};
  EXPECT_EQ(bfs::serial(small_graph(), 4), expected);
  EXPECT_EQ(bfs::source_of(small_graph()), 0u);
}

TEST(bfs, filch_finds_the_serial_distances) {
  const rmat::graph g = rmat::make({.scale = 11});
  const vertex source = bfs::source_of(g);
  const std::vector<std::uint32_t> expected = bfs::serial(g, source);
  for (const unsigned workers : pool_sizes) {
    filch::thread_pool pool{{.workers = workers}};
    EXPECT_EQ(bfs::check(expected, pool.run([&] { return bfs::on_filch(g, source); })), "")
        << workers << " workers";
  }
}

TEST(bfs, a_wrong_distance_is_noticed) {
  EXPECT_EQ(bfs::check({0, 1, 2}, {0, 1, 3}), "vertex 2 is 2 edges away, not 3");
  EXPECT_EQ(bfs::check({0, 1, 2}, {0, 1}), "there are 2 distances, not 3");
}

TEST(triangles, each_counts_once) {
  const rmat::graph g = triangles::oriented(small_graph());
  EXPECT_EQ(g.edge_count(), 6u);
  EXPECT_EQ(triangles::serial(g), 2u);
  EXPECT_EQ(triangles::by_marks(g), 2u);
}

/// Three ends, each leading to the two others.
std::uint64_t by_definition(const rmat::graph& g) {
  const auto leads = [&](vertex from, vertex to) {
    return std::ranges::binary_search(g.neighbours(from), to);
  };
  std::uint64_t count = 0;
  for (vertex a = 0; a < g.size(); ++a) {
    for (vertex b = a + 1; b < g.size(); ++b) {
      for (vertex c = b + 1; c < g.size() && leads(a, b); ++c)
        count += leads(a, c) && leads(b, c) ? 1 : 0;
    }
  }
  return count;
}

TEST(triangles, all_ways_count_what_the_definition_counts) {
  const rmat::graph given = rmat::make({.scale = 7});
  const std::uint64_t expected = by_definition(given);
  EXPECT_GT(expected, 1000u);
  const rmat::graph g = triangles::oriented(given);
  EXPECT_EQ(triangles::serial(g), expected);
  EXPECT_EQ(triangles::by_marks(g), expected);
  for (const unsigned workers : pool_sizes) {
    filch::thread_pool pool{{.workers = workers}};
    EXPECT_EQ(pool.run([&] { return triangles::on_filch(g); }), expected) << workers << " workers";
  }
}

TEST(triangles, a_wrong_count_is_noticed) {
  EXPECT_EQ(triangles::check(2, 3), "there are 2 triangles, not 3");
}

}  // namespace
