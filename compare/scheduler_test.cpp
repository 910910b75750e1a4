#include <compare/computation.hpp>
#include <compare/rivals.hpp>
#include <compare/trees.hpp>
#include <filch/base/sanitized_test.hpp>
#include <filch/base/scratch_folder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <thread>
#include <tuple>

namespace filch::compare {
namespace {

using shape = std::tuple<contender, unsigned>;  // which scheduler, with how many workers

class every_scheduler : public testing::TestWithParam<shape> {
 protected:
  contender who() const { return std::get<0>(GetParam()); }
  unsigned workers() const { return std::get<1>(GetParam()); }
  std::unique_ptr<scheduler> make() const { return who().make(workers()); }
};

std::string shape_name(const testing::TestParamInfo<shape>& info) {
  return std::string{std::get<0>(info.param).name} + "_" + std::to_string(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(compare, every_scheduler,
                         testing::Combine(testing::ValuesIn(contenders()),
                                          testing::Values(1u, 2u, 5u)),
                         shape_name);

std::uint64_t jobs_run(const scheduler& s) {
  return std::accumulate(s.tallies().begin(), s.tallies().end(), std::uint64_t{0},
                         [](std::uint64_t sum, const tally& t) { return sum + t.jobs_run; });
}

std::uint64_t jobs_moved(const scheduler& s) {
  return std::accumulate(s.tallies().begin(), s.tallies().end(), std::uint64_t{0},
                         [](std::uint64_t sum, const tally& t) { return sum + t.jobs_moved; });
}

std::size_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks{"/proc/self/task"};
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// After one thread has come and gone: with the first, a sanitizer starts one of its own, which
/// stays.
std::size_t threads_before() {
  std::filesystem::path first;
  std::thread([&] { first = std::filesystem::canonical("/proc/thread-self"); }).join();
  for (int i = 0; i < 1000 && std::filesystem::exists(first); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return threads_of_this_process();
}

/// A thread that was joined may be listed for a moment more.
bool comes_down_to(std::size_t count) {
  for (int i = 0; i < 1000 && threads_of_this_process() != count; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return threads_of_this_process() == count;
}

TEST_P(every_scheduler, computes_fib_with_and_without_cutoff) {
  const auto s = make();
  EXPECT_EQ(run_on(*s, fib_tree{22, 2}), 17711u);
  EXPECT_EQ(run_on(*s, fib_tree{25, 21}), 75025u);
}

TEST_P(every_scheduler, counts_queens) {
  const auto s = make();
  EXPECT_EQ(run_on(*s, nqueens_tree{8, 0}), 92u);
  EXPECT_EQ(run_on(*s, nqueens_tree{9, 3}), 352u);
}

TEST_P(every_scheduler, counts_a_deep_and_a_wide_unbalanced_tree) {
  const auto s = make();
  const bench::uts::tree wide{.root_branching = 4, .depth_limit = 7, .seed = 19};
  const bench::uts::tree deep{.type = bench::uts::kind::binomial,
                              // Each node is slow there
                              .root_branching = base::is_sanitized ? 100 : 500,
                              .nonleaf_chance = 0.124,
                              .nonleaf_children = 8,
                              .seed = 42};
  EXPECT_EQ(run_on(*s, uts_tree{wide}), bench::uts::serial(wide));
  EXPECT_EQ(run_on(*s, uts_tree{deep}), bench::uts::serial(deep));
}

TEST_P(every_scheduler, runs_each_item_of_a_loop_exactly_once) {
  const auto s = make();
  std::vector<std::atomic<int>> visits(10'000);
  const auto visit = [&](std::uint64_t i) { return std::uint64_t(++visits[i] > 0); };
  EXPECT_EQ(run_on(*s, loop_tree<decltype(visit)>{visits.size(), 1, visit}), visits.size());
  for (const std::atomic<int>& count : visits) ASSERT_EQ(count, 1);
}

TEST_P(every_scheduler, counts_every_job_exactly_once) {
  const auto s = make();
  run_on(*s, fib_tree{20, 2});
  EXPECT_EQ(jobs_run(*s), bench::fib::call_count({20}));
  s->clear_tallies();
  EXPECT_EQ(jobs_run(*s), 0u);
}

TEST_P(every_scheduler, finishes_a_thousand_small_trees_in_a_row) {
  const auto s = make();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(run_on(*s, fib_tree{5, 2}), 5u);
}

/// One child at a time: there is never anything to share, so every scheduler keeps falling asleep
/// and must notice the end.
struct chain {
  using node = unsigned;
  using result = std::uint64_t;
  unsigned links;
  node root() const { return links; }
  void expand(node left, result& done, const auto& spawn) const {
    ++done;
    if (left > 1) spawn(left - 1);
  }
};

TEST_P(every_scheduler, follows_a_chain_to_its_end) {
  const auto s = make();
  EXPECT_EQ(run_on(*s, chain{20'000}), 20'000u);
}

TEST_P(every_scheduler, finds_duplicates_as_the_serial_search_does) {
  const auto s = make();
  const base::scratch_folder folder;
  for (int i = 0; i < 120; ++i)
    folder.write(std::to_string(i % 7) + "/" + std::to_string(i),
                 std::string(i % 20 * 1000, "abc"[i % 3]));
  const bench::duplicates::parameters here{{folder.string()}};
  const bench::duplicates::answer found =
      bench::duplicates::search<search_on>{search_on{*s}, bench::duplicates::no_observer()}(here);
  EXPECT_FALSE(found.groups.empty());
  EXPECT_EQ(found.groups, bench::duplicates::serial(here).groups);
}

TEST_P(every_scheduler, leaves_no_thread_behind) {
  const std::size_t before = threads_before();
  run_on(*make(), fib_tree{15, 2});
  EXPECT_TRUE(comes_down_to(before));
}

TEST_P(every_scheduler, goes_home_unused) {
  const std::size_t before = threads_before();
  make().reset();
  EXPECT_TRUE(comes_down_to(before));
}

TEST(one_worker_gets_all, moves_nothing_and_leaves_the_others_without_work) {
  const auto s = make_one_worker_gets_all(5);
  run_on(*s, fib_tree{20, 2});
  EXPECT_EQ(jobs_moved(*s), 0u);
  EXPECT_EQ(s->tallies()[0].jobs_run, jobs_run(*s));
}

TEST(static_split, moves_nothing_but_gives_everybody_a_hand) {
  const auto s = make_static_split(5);
  run_on(*s, fib_tree{20, 2});
  EXPECT_EQ(jobs_moved(*s), 0u);
  for (const tally& t : s->tallies()) EXPECT_GT(t.jobs_run, 0u);
}

/// A leaf that waits until another runs, or gives up: two of them at once prove two workers.
struct meeting {
  using node = unsigned;
  using result = std::uint64_t;
  std::atomic<unsigned>& arrived;
  node root() const { return 0; }
  void expand(node kind, result& met, const auto& spawn) const {
    if (kind == 0) {
      spawn(1);
      spawn(1);
      return;
    }
    ++arrived;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    while (arrived < 2 && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
    met += arrived >= 2 ? 1 : 0;
  }
};

class every_balancing_scheduler : public every_scheduler {};

std::vector<contender> balancing_contenders() {
  std::vector<contender> some;
  std::ranges::copy_if(contenders(), std::back_inserter(some), [](const contender& c) {
    return c.name != "one_worker_gets_all" && c.name != "static_split";
  });
  return some;
}

INSTANTIATE_TEST_SUITE_P(compare, every_balancing_scheduler,
                         testing::Combine(testing::ValuesIn(balancing_contenders()),
                                          testing::Values(2u, 5u)),
                         shape_name);

TEST_P(every_balancing_scheduler, brings_two_long_jobs_to_two_workers) {
  const auto s = make();
  for (int i = 0; i < 50; ++i) {
    std::atomic<unsigned> arrived = 0;
    ASSERT_EQ(run_on(*s, meeting{arrived}), 2u);
  }
}

}  // namespace
}  // namespace filch::compare
