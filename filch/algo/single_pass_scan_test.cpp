// Work beyond the front: two workers, each held in a chunk until the other is where the test needs
// it. On real workers only: a flag holds them, and a virtual worker would never let the other set
// it.
#include <filch/algo/pack.hpp>
#include <filch/algo/single_pass_scan.hpp>
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

class flag {
 public:
  void set() noexcept { is_set_.store(true); }
  void wait() const noexcept {
    while (!is_set_.load()) std::this_thread::yield();
  }

 private:
  std::atomic<bool> is_set_{false};
};

/// The carry is the number of elements before a chunk. Each test decides what happens to the
/// chunks, which have one element each.
struct counting {
  using carry = std::uint64_t;
  struct aggregate {
    std::uint64_t items;
  };
  std::function<void(std::uint64_t)> on_through;
  std::function<void(std::uint64_t)> on_ahead;
  std::atomic<int> done_before = 0;
  std::atomic<int> done_behind = 0;

  carry through(std::uint64_t from, std::uint64_t to, carry before) {
    EXPECT_EQ(before, from);
    ++done_before;
    on_through(from);
    return before + (to - from);
  }
  aggregate ahead(std::uint64_t from, std::uint64_t to) {
    on_ahead(from);
    return {to - from};
  }
  carry past(carry before, const aggregate& made) { return before + made.items; }
  void behind(std::uint64_t from, std::uint64_t, carry before, const aggregate&) {
    EXPECT_EQ(before, from);
    ++done_behind;
  }
};

TEST(single_pass_scan, the_front_passes_a_chunk_with_an_aggregate_and_that_is_finished) {
  thread_pool pool({.workers = 2});
  flag has_aggregate;  // chunk 1: its runner has begun with the next one
  counting kernel{[&](std::uint64_t from) {
                    if (from == 0) has_aggregate.wait();
                  },
                  [&](std::uint64_t from) {
                    if (from == 2) has_aggregate.set();
                  }};
  const settings how = with(grain_items{1}, pool);
  EXPECT_EQ(pool.run([&] { return single_pass_scan<counting>(how, kernel).run(0, 50, 0); }), 50u);
  EXPECT_EQ(kernel.done_before + kernel.done_behind, 50);
  EXPECT_GE(kernel.done_behind, 1);
}

TEST(single_pass_scan, a_pack_counts_what_was_chosen_beyond_the_front) {
  thread_pool pool({.workers = 2});
  std::vector<int> in(100);
  std::iota(in.begin(), in.end(), 0);
  flag has_aggregate;
  const auto is_odd = [&](int i) {
    if (i == 0) has_aggregate.wait();
    if (i == 16) has_aggregate.set();  // in chunks of 8: the second one has its aggregate
    return i % 2 != 0;
  };
  std::vector<int> expected;
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected),
               [](int i) { return i % 2 != 0; });
  std::vector<int> out(expected.size(), -1);
  EXPECT_EQ(copy_if(with(grain_items{8}, pool), in, out.begin(), is_odd).out, out.end());
  EXPECT_EQ(out, expected);
}

// A worker leaves chunks whose aggregate the front has passed, and no worker may finish them.
// Workers that still share the pass must leave it.
TEST(single_pass_scan, a_stop_while_passed_chunks_wait_for_their_rest_ends_it) {
  thread_pool pool({.workers = 2});
  std::stop_source source;
  flag second_begun, third_begun, is_asked;
  counting kernel{[&](std::uint64_t from) {
                    if (from == 0) second_begun.wait();
                  },
                  [&](std::uint64_t from) {
                    // The front stops here, having passed 1, and its worker works ahead on 3
                    if (from == 2) {
                      second_begun.set();
                      third_begun.wait();
                      source.request_stop();
                      is_asked.set();
                    }
                    if (from == 3) {
                      third_begun.set();
                      is_asked.wait();
                    }
                  }};
  const settings how = with(grain_items{1}, pool, source.get_token());
  EXPECT_THROW(pool.run([&] { return single_pass_scan<counting>(how, kernel).run(0, 50, 0); }),
               stopped);
  EXPECT_EQ(kernel.done_behind, 0);
  EXPECT_EQ(pool.run([] { return 7; }), 7);
}

// As above, but a worker fails, and nothing tells the two others to stop.
TEST(single_pass_scan, a_failure_while_passed_chunks_wait_for_their_rest_ends_it) {
  thread_pool pool({.workers = 3});
  flag second_begun, is_failing;
  std::atomic<int> begun_beyond{0};
  counting kernel{[&](std::uint64_t from) {
                    if (from == 0) second_begun.wait();
                  },
                  [&](std::uint64_t from) {
                    if (from == 2) {
                      second_begun.set();
                      while (begun_beyond.load() != 2) std::this_thread::yield();
                      is_failing.set();
                      throw std::runtime_error("one of three");
                    }
                    if (from > 2) {
                      ++begun_beyond;
                      is_failing.wait();
                      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it has failed
                    }
                  }};
  const settings how = with(grain_items{1}, pool);
  EXPECT_THROW(pool.run([&] { return single_pass_scan<counting>(how, kernel).run(0, 50, 0); }),
               std::runtime_error);
  EXPECT_EQ(pool.run([] { return 7; }), 7);
}

}  // namespace
}  // namespace filch::algo
