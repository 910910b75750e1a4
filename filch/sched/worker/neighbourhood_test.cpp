#include <filch/sched/worker/neighbourhood.hpp>

#include <filch/filch.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <gtest/gtest.h>

#include <set>

namespace filch::inline v0_2::sched {
namespace {

using policy::reach;

/// Two nodes of two caches, a cache of two cores, a core of two threads, which Linux numbers 0 to 7
/// and 8 to 15.
topo::machine two_nodes() {
  std::vector<topo::cpu> all;
  for (unsigned index = 0; index < 16; ++index) {
    const unsigned core = index % 8;
    all.push_back({.os_index = index,
                   .core = core,
                   .cache = core / 2,
                   .numa_node = core / 4,
                   .package = core / 4});
  }
  return {all, {}, "test"};
}

std::set<std::uint32_t> drawn(const neighbourhood& from, std::uint32_t worker, reach within) {
  base::split_mix64 random{3};
  std::set<std::uint32_t> all;
  for (int i = 0; i < 1000; ++i) all.insert(from.draw(worker, within, random()));
  return all;
}

using workers = std::set<std::uint32_t>;

TEST(neighbourhood, is_the_workers_that_share_the_cache_or_the_node) {
  const std::vector<unsigned> cpus{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const neighbourhood all{two_nodes(), cpus};
  EXPECT_EQ(drawn(all, 0, reach::cache), (workers{1, 8, 9}));
  EXPECT_EQ(drawn(all, 9, reach::cache), (workers{0, 1, 8}));
  EXPECT_EQ(drawn(all, 2, reach::cache), (workers{3}));
  EXPECT_EQ(drawn(all, 2, reach::node), (workers{0, 1, 3, 8, 9}));
  EXPECT_EQ(drawn(all, 7, reach::node), (workers{4, 5, 6}));
}

TEST(neighbourhood, follows_the_cpus_wherever_workers_are_spread) {
  const std::vector<unsigned> cpus{0, 4, 2, 6, 1, 5, 3, 7};
  const neighbourhood all{two_nodes(), cpus};
  EXPECT_EQ(drawn(all, 0, reach::cache), (workers{4}));
  EXPECT_EQ(drawn(all, 1, reach::node), (workers{3, 5, 7}));
}

TEST(neighbourhood, has_nobody_where_a_worker_is_alone_or_unpinned) {
  const neighbourhood far{two_nodes(), std::vector<unsigned>{0, 4}};
  EXPECT_EQ(drawn(far, 0, reach::cache), workers{policy::nobody});
  EXPECT_EQ(drawn(far, 0, reach::node), workers{policy::nobody});
  EXPECT_EQ(drawn(far, 0, reach::anywhere), workers{policy::nobody});
  EXPECT_EQ(drawn(neighbourhood{}, 0, reach::cache), workers{policy::nobody});
}

TEST(neighbourhood, of_spares_is_that_of_the_workers_on_their_cpu) {
  const neighbourhood all{two_nodes(), std::vector<unsigned>{0, 1, 4, 5}};
  EXPECT_EQ(drawn(all, 6, reach::cache), (workers{3}));
  EXPECT_EQ(drawn(all, 5, reach::cache), (workers{0}));
}

TEST(neighbourhood, of_a_pinned_pool_draws_workers_that_there_are) {
  thread_pool pool({.workers = 4, .pin = pinning::compact});
  pool.warm_up();
  const long sum = pool.run([&] {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const neighbourhood& ours = current_worker().core.threads().neighbours();
      for (const std::uint32_t each : drawn(ours, i, reach::node)) {
        EXPECT_NE(each, i);
        EXPECT_TRUE(each < 4 || each == policy::nobody);
      }
    }
    return parallel_reduce(
        0, 100'000, 0L, [](int i) { return long{i}; }, [](long a, long b) { return a + b; });
  });
  EXPECT_EQ(sum, 99'999L * 50'000);
}

}  // namespace
}  // namespace filch::sched
