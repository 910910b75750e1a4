// Trees of tasks that do everything at once on real threads: call, spawn, await, drop, cancel,
// yield, join, block, fail.
#include <filch/base/calibrated_stress.hpp>
#include <filch/base/long_stress.hpp>
#include <filch/base/rng.hpp>
#include <filch/co.hpp>
#include <filch/fork.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace filch::inline v0_2::co {
namespace {

/// What each run must first notice: some leaves that are worth nothing, or one task whose end is
/// not counted.
enum class mistake { none, leaves_are_lost, a_frame_is_lost };

struct tally {
  mistake made = mistake::none;
  std::atomic<std::uint64_t> begun{0};
  std::atomic<std::uint64_t> ended{0};
};

/// Counts itself for as long as a task's frame lives.
class visitor {
 public:
  explicit visitor(tally& all) noexcept
      : all_{all}, place_{all.begun.fetch_add(1, std::memory_order_relaxed)} {}
  ~visitor() {
    if (all_.made != mistake::a_frame_is_lost || place_ != 100)
      all_.ended.fetch_add(1, std::memory_order_relaxed);
  }
  visitor(const visitor&) = delete;
  visitor& operator=(const visitor&) = delete;
  /// What a leaf is worth. The mistake hits a hundred in a row, since one alone may be dropped.
  std::uint64_t worth() const noexcept {
    return all_.made == mistake::leaves_are_lost && place_ / 100 == 1 ? 0 : 1;
  }

 private:
  tally& all_;
  std::uint64_t place_;
};

/// What a node of a tree is worth: the number of leaves below it, whatever way the tasks took.
task<std::uint64_t> grow(tally& all, std::uint64_t seed, unsigned depth);

task<std::uint64_t> spawn_both(tally& all, std::uint64_t seed, unsigned depth) {
  join_handle<std::uint64_t> left = spawn(grow(all, seed, depth));
  join_handle<std::uint64_t> right = spawn(grow(all, seed + 1, depth));
  if (seed % 3 == 0) left.cancel();  // no task here looks at the token
  const std::uint64_t second = co_await right;
  co_return second + co_await left;
}

task<std::uint64_t> wait_for_all(tally& all, std::uint64_t seed, unsigned depth) {
  const auto [left, right] = co_await when_all(grow(all, seed, depth), grow(all, seed + 1, depth));
  co_return left + right;
}

task<> grow_into(tally& all, std::uint64_t seed, unsigned depth, std::atomic<std::uint64_t>& sum,
                 std::atomic<int>& begun) {
  ++begun;
  sum += co_await grow(all, seed, depth);
}
task<> fail_at_last() {
  co_await yield();
  throw std::runtime_error("as it should");
}
/// What has not begun by then does not.
task<> fail_when_both_have_begun(std::atomic<int>& begun) {
  while (begun != 2) co_await yield();
  throw std::runtime_error("as it should");
}
task<std::uint64_t> in_a_scope(tally& all, std::uint64_t seed, unsigned depth) {
  std::atomic<std::uint64_t> sum{0};
  std::atomic<int> begun{0};
  try {
    scope nursery{co_await get_stop_token()};
    nursery.spawn(grow_into(all, seed, depth, sum, begun));
    nursery.spawn(grow_into(all, seed + 1, depth, sum, begun));
    nursery.spawn(fail_when_both_have_begun(begun));
    co_await nursery.join();
  } catch (const std::runtime_error&) {
    co_return sum.load();
  }
  co_return 0;
}

std::uint64_t join_both(tally& all, std::uint64_t seed, unsigned depth) {
  const auto [left, right] =
      filch::join([&] { return block_on(grow(all, seed, depth)); },
                  [&] { return block_on(spawn(grow(all, seed + 1, depth))); });
  return left + right;
}

task<std::uint64_t> fork_both(tally& all, std::uint64_t seed, unsigned depth) {
  forked<std::uint64_t> left = co_await fork(grow(all, seed, depth));
  const std::uint64_t right = co_await grow(all, seed + 1, depth);
  const forked<> fails = co_await fork(fail_at_last());
  try {
    co_await co::join;
  } catch (const std::runtime_error&) {
    co_return left.get() + right;
  }
  co_return 0;
}

task<std::uint64_t> grow(tally& all, std::uint64_t seed, unsigned depth) {
  const visitor here{all};
  if (depth == 0) co_return here.worth();
  base::split_mix64 random{seed};
  const std::uint64_t draw = random(), below = random();
  if (draw % 16 == 0) spawn(grow(all, below, 0));  // dropped
  if (draw % 5 == 0) co_await yield();
  switch (draw >> 32 & 7) {
    case 0:
    case 1: co_return co_await spawn_both(all, below, depth - 1);
    case 2: co_return co_await wait_for_all(all, below, depth - 1);
    case 3: co_return co_await in_a_scope(all, below, depth - 1);
    case 5:
    case 6: co_return co_await fork_both(all, below, depth - 1);
    case 4: co_return join_both(all, below, depth - 1);
    default: break;
  }
  const std::uint64_t left = co_await grow(all, below, depth - 1);
  co_return left + co_await grow(all, below + 1, depth - 1);
}

constexpr unsigned depth = 8;

/// Whether each of `count` trees is worth its leaves, and no frame was left behind.
bool grow_and_count(unsigned workers, std::uint64_t count, tally& all) {
  bool holds = true;
  {
    thread_pool pool{{.workers = workers}};
    for (std::uint64_t tree = 0; tree < count && holds; ++tree) {
      holds = block_on(pool, grow(all, tree * 7919 + workers, depth)) == std::uint64_t{1} << depth;
      EXPECT_TRUE(holds || all.made != mistake::none) << "tree " << tree;
    }
  }
  EXPECT_TRUE(all.begun == all.ended || all.made != mistake::none) << "a frame was left behind";
  return holds && all.begun == all.ended;
}

void grow_trees(unsigned workers) {
  const std::string shape = "co.trees_of_tasks_at_" + std::to_string(workers) + "_workers";
  for (const mistake made : {mistake::leaves_are_lost, mistake::a_frame_is_lost}) {
    const auto attempt = [=] {
      tally broken{.made = made};
      return !grow_and_count(workers, 20, broken);
    };
    ASSERT_TRUE(base::notices(
        shape, made == mistake::leaves_are_lost ? "leaves that are lost" : "a frame that is lost",
        attempt))
        << "void: a mistake among thousands of tasks goes unseen";
  }
  tally all;
  const bool holds = grow_and_count(workers, base::long_count(500, 20'000), all);
  base::print_stress_evidence("trees_of_tasks", all.ended, workers, holds);
}

TEST(co_stress, trees_of_tasks_on_one_worker) { grow_trees(1); }
TEST(co_stress, trees_of_tasks_on_two_workers) { grow_trees(2); }
TEST(co_stress, trees_of_tasks_on_more_workers_than_processors) {
  grow_trees(4 * std::thread::hardware_concurrency());
}

}  // namespace
}  // namespace filch::co
