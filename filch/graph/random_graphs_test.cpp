// Random graphs beside a serial oracle.
#include <filch/graph/graph_on_test.hpp>
#include <filch/testing/environment_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using number = std::uint64_t;

number mix(number a, number b) { return (a ^ (b + 0x9e3779b97f4a7c15 + (a << 6) + (a >> 2))) * 31; }

/// A graph drawn by chance. Each node adds up the results of those it reads, and knows which ones
/// it comes after.
class drawn_graph {
 public:
  drawn_graph(unsigned seed, std::size_t size, thread_pool& in) : random_{seed}, pool_{in} {
    nodes_.reserve(size);
    expected_.reserve(size);
    ran_ = std::vector<std::atomic<int>>(size);
    after_.resize(size);
    for (std::size_t i = 0; i < size; ++i) add(i);
  }
  void run_and_check(int runs) {
    for (int run = 1; run <= runs; ++run) {
      g_.run(with(pool_));
      check(run);
    }
  }
  task_graph& graph() { return g_; }
  /// From now on the node `index` fails.
  void let_fail(std::size_t index) { fails_ = index; }
  /// What came to its end, came after all that it depends on.
  void check_after_failure(const std::vector<int>& before) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const node_outcome how = nodes_[i].outcome();
      ASSERT_EQ(ran_[i] - before[i], how == node_outcome::ran ? 1 : 0) << i;
      if (how != node_outcome::ran) continue;
      for (const std::size_t earlier : after_[i])
        ASSERT_EQ(nodes_[earlier].outcome(), node_outcome::ran) << earlier << " before " << i;
    }
    ASSERT_EQ(nodes_[fails_].outcome(), node_outcome::failed);
  }
  std::vector<int> counts() const { return {ran_.begin(), ran_.end()}; }

 private:
  void add(std::size_t i) {
    const std::size_t reads = i == 0 ? 0 : random_() % 4, comes_after = i == 0 ? 0 : random_() % 3;
    std::vector<std::size_t> from;
    for (std::size_t k = 0; k < reads; ++k) from.push_back(earlier(i));
    number sum = mix(i, reads);
    for (const std::size_t each : from) sum = mix(sum, expected_[each]);
    expected_.push_back(sum);
    const auto body = [this, i, reads](auto... values) {
      return run(i, reads, static_cast<number>(values)...);
    };
    switch (reads) {
      case 0: nodes_.push_back(g_.emplace(body)); break;
      case 1: nodes_.push_back(g_.emplace(body, nodes_[from[0]])); break;
      case 2: nodes_.push_back(g_.emplace(body, nodes_[from[0]], nodes_[from[1]])); break;
      default:
        nodes_.push_back(g_.emplace(body, nodes_[from[0]], nodes_[from[1]], nodes_[from[2]]));
    }
    for (std::size_t k = 0; k < comes_after; ++k) {
      from.push_back(earlier(i));
      nodes_[from.back()].precede(nodes_[i]);
    }
    after_[i] = from;
  }
  std::size_t earlier(std::size_t i) {
    return i - 1 - std::min<std::size_t>(i - 1, random_() % (random_() % 2 == 0 ? 10 : i));
  }
  template <class... Values>
  number run(std::size_t i, std::size_t reads, Values... values) {
    if (i == fails_) throw std::runtime_error("as the test wants");
    for (const std::size_t each : after_[i])
      if (ran_[each] != ran_[i] + 1) ++out_of_order_;
    number sum = mix(i, reads);
    ((sum = mix(sum, values)), ...);
    if (i % 37 == 0) fork();
    if (i % 101 == 0) blocking([] { std::this_thread::yield(); });
    if (i % 149 == 0) run_another();
    ++ran_[i];
    return sum;
  }
  static void fork() {
    std::atomic<int> sum{0};
    parallel_for(0, 100, [&](int k) { sum += k; });
    if (sum != 4950) throw std::logic_error("wrong sum");
  }
  static void run_another() {
    task_graph other;
    std::atomic<int> ran{0};
    for (int i = 0; i < 5; ++i) other.emplace([&] { ++ran; });
    other.run();
    if (ran != 5) throw std::logic_error("the other graph did not run");
  }
  void check(int run) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) ASSERT_EQ(ran_[i], run) << i;
    ASSERT_EQ(out_of_order_, 0);
    // A result that was taken is no longer there, so those that nobody reads are compared
    for (std::size_t i = 0; i < nodes_.size(); ++i) try {
        ASSERT_EQ(nodes_[i].get(), expected_[i]) << i;
      } catch (const std::logic_error&) {
      }
    ASSERT_EQ(nodes_.back().get(), expected_.back());
  }

  std::mt19937 random_;
  thread_pool& pool_;
  task_graph g_;
  std::vector<graph_node<number>> nodes_;
  std::vector<number> expected_;
  std::vector<std::atomic<int>> ran_;
  std::vector<std::vector<std::size_t>> after_;
  std::atomic<int> out_of_order_{0};
  std::size_t fails_ = ~std::size_t{0};
};

class random_graphs : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, random_graphs, widths_of_graphs);

/// How often the whole is tried, and from which seed on.
std::pair<unsigned, unsigned> seeds() {
  const auto first = static_cast<unsigned>(testing::from_environment("FILCH_SEED", 1));
  return {first, first + static_cast<unsigned>(testing::from_environment("FILCH_SEEDS", 1)) * 15};
}

TEST_P(random_graphs, give_what_a_serial_run_gives) {
  const auto [first, last] = seeds();
  for (unsigned seed = first; seed < last; ++seed) {
    SCOPED_TRACE("FILCH_SEED=" + std::to_string(seed));
    const std::size_t size = 1 + seed * seed * 7919 % 2000;
    drawn_graph drawn{seed, size, pool};
    drawn.run_and_check(5);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_P(random_graphs, run_in_order_until_a_node_fails) {
  const auto [first, last] = seeds();
  for (unsigned seed = first; seed < last; ++seed) {
    SCOPED_TRACE("FILCH_SEED=" + std::to_string(seed));
    const std::size_t size = 1 + seed * 31 % 300;
    drawn_graph drawn{seed, size, pool};
    drawn.run_and_check(1);
    for (int trial = 0; trial < 3; ++trial) {
      drawn.let_fail(seed * (trial + 7u) % size);
      const std::vector<int> before = drawn.counts();
      EXPECT_THROW(drawn.graph().run(with(pool)), std::runtime_error);
      drawn.check_after_failure(before);
      ASSERT_FALSE(HasFailure());
    }
  }
}

}  // namespace
}  // namespace filch
