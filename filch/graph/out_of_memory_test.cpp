// What graphs allocate, and what becomes of them when an allocation is refused.
#include <filch/co.hpp>
#include <filch/fork/refused_memory_test.hpp>
#include <filch/graph.hpp>
#include <filch/testing/replaced_new_test.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <vector>

namespace {

std::atomic<long> allocations{0};

}  // namespace

void filch::testing::will_allocate() {
  ++allocations;
  trials::take();
}
void filch::testing::will_release() noexcept { trials::give_back(); }

namespace filch::inline v0_2 {
namespace {

using trials::disturbance;
using trials::ending;
using trials::refuse_each;

class graph_memory_on : public ::testing::TestWithParam<unsigned> {
 protected:
  // What is made at the first use of a worker is there before a trial
  void SetUp() override {
    pool.warm_up();
    pool.run([] {});
    block_on(pool, []() -> task<> { co_return; }());
  }
  thread_pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(workers, graph_memory_on, ::testing::Values(1u, 2u, 4u));

bool is_clean(ending end) { return end == ending::completed || end == ending::bad_alloc; }

/// As `refuse_each` for trials with coroutines. Workers keep frames, so that blocks cannot be
/// counted; the address sanitizer finds what leaks.
template <class Trial>
void refuse_each_frame(Trial&& trial) {
  for (const trials::refusal what : {trials::refusal::one, trials::refusal::all_from_there}) {
    bool has_struck = true;
    for (long granted = 0; has_struck; ++granted) {
      trial(disturbance{what, granted, &has_struck});
      ASSERT_FALSE(::testing::Test::HasFailure()) << granted << " allocations were granted";
    }
  }
}

/// A graph with all that a static graph may have.
struct static_graph {
  task_graph g;
  graph_limit two{2};
  std::atomic<int> ran{0};
  int turns = 0;

  void build() {
    const auto root = g.emplace("a name that is longer than a short string", [&] { turns = 0; });
    auto before = root;
    for (int i = 0; i < 40; ++i) {
      const auto node = g.emplace([&] { ++ran; });
      node.succeed(before, root);
      if (i % 4 == 0) node.limited_by(two);
      if (i % 3 == 0) before = node;
    }
    const auto head = g.emplace([&] { ++ran; });
    const auto more = g.branch(
        "more", [&] { return ++turns < 5; }, head);
    root.precede(head);
    more.choose(true, head);
    const auto number = g.emplace([] { return std::vector<int>{}; });
    g.emplace([](std::vector<int> mine) { return mine.size(); }, number);
  }
  /// Whether a run now runs all of it.
  bool runs(thread_pool& in) {
    ran = 0;
    g.run(with(in));
    return ran == 45;
  }
};

TEST_P(graph_memory_on, later_runs_allocate_nothing) {
  static_graph s;
  s.build();
  thread_queue mine;
  s.g.emplace([] {}).on(mine);
  s.g.emplace([] {}).at(priority::high);
  // Queues of the pool grow to what the graph needs
  for (int i = 0; i < 50; ++i) s.g.run(with(pool));
  const long before = allocations;
  for (int i = 0; i < 200; ++i) s.g.run(with(pool));
  EXPECT_EQ(allocations, before);
}

TEST(graph_memory, the_second_run_on_one_worker_allocates_nothing) {
  thread_pool pool{{.workers = 1}};
  pool.run([] {});
  static_graph s;
  s.build();
  s.g.run(with(pool));
  const long before = allocations;
  for (int i = 0; i < 10; ++i) s.g.run(with(pool));
  EXPECT_EQ(allocations, before);
}

TEST(graph_memory, many_small_nodes_share_an_allocation) {
  task_graph g;
  const long before = allocations;
  for (int i = 0; i < 10'000; ++i) g.emplace([] {});
  EXPECT_LT(allocations - before, 100);
}

TEST_P(graph_memory_on, a_graph_that_could_not_be_built_is_cleared_and_built_anew) {
  refuse_each([&](const disturbance& disturbed) {
    static_graph s;
    const ending end = disturbed([&] { s.build(); });
    EXPECT_TRUE(is_clean(end));
    if (end == ending::completed) {
      EXPECT_TRUE(s.runs(pool));
    } else {
      s.g.run(with(pool));  // as far as it was built
      s.g.clear();
      s.build();
      EXPECT_TRUE(s.runs(pool));
    }
  });
}

// Blocks of memory that could not grow keep their size.
TEST(graph_memory, a_graph_that_could_not_grow_has_room_for_others) {
  refuse_each([](const disturbance& disturbed) {
    task_graph g;
    const auto fill = [&](int nodes) {
      for (int i = 0; i < nodes; ++i) g.emplace([i] { return i; });
    };
    const ending end = disturbed([&] { fill(500); });
    EXPECT_TRUE(is_clean(end));
    g.clear();
    fill(500);
    EXPECT_EQ(g.size(), 500u);
  });
}

TEST_P(graph_memory_on, a_first_run_that_was_refused_is_tried_again) {
  refuse_each([&](const disturbance& disturbed) {
    static_graph s;
    s.build();
    const ending end = disturbed([&] { s.g.run(with(pool)); });
    EXPECT_TRUE(is_clean(end));
    EXPECT_TRUE(s.runs(pool));
    s.g.emplace([] {});
    EXPECT_TRUE(s.runs(pool));
  });
}

TEST_P(graph_memory_on, a_subgraph_that_was_refused_fails_its_node) {
  refuse_each([&](const disturbance& disturbed) {
    task_graph g;
    std::atomic<int> ran{0};
    const auto makes = g.emplace([&](subgraph& s) {
      const auto first = s.emplace("first of some", [&] { ++ran; });
      for (int i = 0; i < 20; ++i) first.precede(s.emplace([&] { ++ran; }));
      s.emplace([&](subgraph& below) { below.emplace([&] { ++ran; }); });
    });
    const auto last = g.emplace([] {});
    makes.precede(last);
    const ending end = disturbed([&] { g.run(with(pool)); });
    EXPECT_TRUE(is_clean(end));
    EXPECT_EQ(last.outcome() == node_outcome::ran, end == ending::completed);
    ran = 0;
    g.run(with(pool));
    EXPECT_EQ(ran, 22);
  });
}

TEST_P(graph_memory_on, a_coroutine_that_was_refused_fails_its_node) {
  refuse_each_frame([&](const disturbance& disturbed) {
    task_graph g;
    std::atomic<int> ran{0};
    const auto waits = g.emplace([&](/* a frame of its own size */) -> task<int> {
      std::array<char, 3000> room{};
      co_await co::yield();
      ++ran;
      co_return room[1];
    });
    const auto last = g.emplace([&](int) { ++ran; }, waits);
    const ending end = disturbed([&] { g.run(with(pool)); });
    EXPECT_TRUE(is_clean(end));
    EXPECT_EQ(last.outcome() == node_outcome::ran, end == ending::completed);
    ran = 0;
    g.run(with(pool));
    EXPECT_EQ(ran, 2);
  });
}

task<> run_in_task(task_graph& g, algo::settings how) { co_await g.run_async(std::move(how)); }

TEST_P(graph_memory_on, a_run_of_a_task_that_was_refused_is_tried_again) {
  refuse_each_frame([&](const disturbance& disturbed) {
    static_graph s;
    s.build();
    const ending end = disturbed([&] { block_on(pool, run_in_task(s.g, with(pool))); });
    EXPECT_TRUE(is_clean(end));
    EXPECT_TRUE(s.runs(pool));
    block_on(pool, run_in_task(s.g, with(pool)));
  });
}

TEST(graph_memory, a_report_that_was_refused_is_tried_again) {
  static_graph s;
  s.build();
  s.g.run();
  refuse_each([&](const disturbance& disturbed) {
    EXPECT_TRUE(is_clean(disturbed([&] {
      const graph_report report = s.g.last_run();
      static_cast<void>(report.dot() + report.json());
    })));
    EXPECT_EQ(s.g.last_run().nodes.size(), s.g.size());
  });
}

TEST(graph_memory, work_for_a_thread_that_was_refused_leaves_no_trace) {
  thread_queue mine;
  refuse_each([&](const disturbance& disturbed) {
    int ran = 0;
    const std::string text(100, 'a');
    const ending end = disturbed([&] { mine.submit([&ran, text] { ++ran; }); });
    EXPECT_TRUE(is_clean(end));
    EXPECT_EQ(mine.run_pending(), end == ending::completed ? 1u : 0u);
  });
}

}  // namespace
}  // namespace filch
