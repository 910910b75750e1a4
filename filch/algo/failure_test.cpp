// An exception ends an algorithm: what lies behind does not begin, however many elements there are,
// and the others finish what they have begun. For one worker: stop_midway_test.cpp.
#include <filch/algo/algo_test.hpp>

#include <chrono>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <thread>

namespace filch::inline v0_2::algo {
namespace {

struct planted {};

/// What an algorithm calls for each element. Throws at the first element, once another thread (if
/// any) has begun.
class failing {
 public:
  /// `pause` is how long later calls take: the thread that throws may lose its processor before it
  /// has recorded the failure.
  failing(unsigned workers, std::chrono::milliseconds pause)
      : has_others_{workers > 1}, pause_{pause} {}

  void operator()(bool is_first) {
    const auto here = std::this_thread::get_id();
    if (is_first) {
      has_begun_ = true;
      while (has_others_ && (other_.load() == here || other_.load() == std::thread::id()))
        std::this_thread::yield();
      has_thrown_ = true;
      throw planted();
    }
    if (other_.load() != here) other_ = here;
    if (!has_thrown_) return;
    ++late_;
    std::this_thread::sleep_for(pause_);
  }
  bool has_begun() const { return has_begun_; }
  int late() const { return late_; }

 private:
  const bool has_others_;
  const std::chrono::milliseconds pause_;
  std::atomic<std::thread::id> other_{};  ///< The last caller, except for the first element.
  std::atomic<bool> has_begun_{false}, has_thrown_{false};
  std::atomic<int> late_{0};
};

class failure_on : public ::testing::TestWithParam<unsigned> {
 protected:
  thread_pool pool{{.workers = GetParam()}};

  /// Checks of `run(how, call)` that no more calls follow than those of leaves that have begun, and
  /// of a second in which no other thread learned of it. The first call of the thread that has the
  /// first element must be for that element: other threads may have done all the rest by then.
  template <class Run>
  void expect_soon(const char* name, Run run) {
    failing call(GetParam(), std::chrono::milliseconds(GetParam()));
    EXPECT_THROW(pool.run([&] { run(with(grain_items{16}), call); }), planted) << name;
    EXPECT_LE(call.late(), 16 * static_cast<int>(GetParam()) + 1'000) << name;
  }
  /// Checks that `run(call)` ends, although it would go on for centuries.
  template <class Run>
  void expect_end(const char* name, Run run) {
    failing call(GetParam(), std::chrono::milliseconds(0));
    EXPECT_THROW(pool.run([&] { run(call); }), planted) << name;
  }
};
INSTANTIATE_TEST_SUITE_P(workers, failure_on, widths);

constexpr int many = 20'000;

std::vector<int> counted() {
  std::vector<int> all(many);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST_P(failure_on, ends_loops_soon) {
  const std::vector<int> in = counted();
  std::vector<int> out(many);
  expect_soon("parallel_for", [](auto how, auto& call) {
    parallel_for(how, 0, many, [&](int i) { call(i == 0); });
  });
  expect_soon("a box", [](auto how, auto& call) {
    parallel_for(how, blocked_range(index_range(0, 200), index_range(0, 100)),
                 [&](int i, int j) { call(i + j == 0); });
  });
  expect_soon("for_each",
              [&](auto how, auto& call) { for_each(how, in, [&](int i) { call(i == 0); }); });
  expect_soon("for_each_chunk", [&](auto how, auto& call) {
    for_each_chunk(how, in, [&](auto chunk) {
      for (const int i : chunk) call(i == 0);
    });
  });
  expect_soon("transform", [&](auto how, auto& call) {
    transform(how, in, out.begin(), [&](int i) { return call(i == 0), i; });
  });
  expect_soon("tabulate", [](auto how, auto& call) {
    tabulate(how, many, [&](std::size_t i) { return call(i == 0), i; });
  });
  expect_soon("to", [&](auto how, auto& call) {
    to<std::vector>(how, in | views::transform([&](int i) { return call(i == 0), i; }));
  });
  expect_soon("reducer", [&](auto how, auto& call) {
    reducer<int, std::plus<>>().over(how, in, [&](int i, int&) { call(i == 0); });
  });
  expect_soon("for_each_worklist", [&](auto how, auto& call) {
    for_each_worklist(how, in, [&](int i, feeder<int>&) { call(i == 0); });
  });
  expect_soon("pipeline", [&](auto how, auto& call) {
    const auto source = [next = 0]() mutable {
      return next < many ? std::optional(next++) : std::nullopt;
    };
    pipeline(how, {}, source, parallel_stage([&](int i) { return call(i == 0), i; }),
             serial_stage([&](int i) { call(i == 0); }));
  });
  expect_soon("task_group", [&](auto, auto& call) {
    task_group group;
    group.run([&call] { call(true); });
    while (GetParam() > 1 && !call.has_begun())
      std::this_thread::yield();  // or its thread might find that it has run all others
    for (int i = 1; i != many; ++i) group.run([&call] { call(false); });
    group.wait();
  });
}

TEST_P(failure_on, ends_folds_and_searches_soon) {
  const std::vector<int> in = counted();
  expect_soon("transform_reduce", [&](auto how, auto& call) {
    transform_reduce(how, in, 0, std::plus<>{}, [&](int i) { return call(i == 0), i; });
  });
  expect_soon("count_if", [&](auto how, auto& call) {
    count_if(how, in, [&](int i) { return call(i == 0), true; });
  });
  expect_soon("min_element", [&](auto how, auto& call) {
    min_element(how, in, [&](int a, int b) { return call(a == 0 || b == 0), a < b; });
  });
  expect_soon("find_if", [&](auto how, auto& call) {
    find_if(how, in, [&](int i) { return call(i == 0), false; });
  });
  expect_soon("mismatch", [&](auto how, auto& call) {
    mismatch(how, in, in, [&](int i, int) { return call(i == 0), true; });
  });
  // Not in the comparison: one worker might make all of them.
  expect_soon("top_k", [&](auto how, auto& call) {
    top_k(how, in | views::transform([&](int i) { return call(i == 0), i; }), 1);
  });
  expect_soon("count_by_key", [&](auto how, auto& call) {
    count_by_key(how, in, [&](int i) { return call(i == 0), i % 10; });
  });
  expect_soon("histogram", [&](auto how, auto& call) {
    histogram(how, in, 10, [&](int i) { return call(i == 0), i % 10; });
  });
}

TEST_P(failure_on, ends_passes_soon) {
  const std::vector<int> in = counted();
  std::vector<int> out(many);
  const auto choose = [&](auto& call) {
    return [&call](int i) { return call(i == 0), i % 2 == 0; };
  };
  expect_soon("copy_if",
              [&](auto how, auto& call) { copy_if(how, in, out.begin(), choose(call)); });
  expect_soon("inclusive_scan", [&](auto how, auto& call) {
    inclusive_scan(how, in, out.begin(),
                   [&](int a, int b) { return call(a == 0 || b == 0), a | b; });
  });
  expect_soon("remove_if", [&](auto how, auto& call) {
    auto values = in;
    remove_if(how, values, choose(call));
  });
  expect_soon("stable_partition", [&](auto how, auto& call) {
    auto values = in;
    stable_partition(how, values, choose(call));
  });
}

}  // namespace

/// Goes through the whole numbers.
class counting {
 public:
  using value_type = long;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  using reference = long;
  using pointer = void;

  counting() = default;
  explicit counting(long at) : at_{at} {}
  long operator*() const { return at_; }
  long operator[](difference_type by) const { return at_ + by; }
  counting& operator+=(difference_type by) { return at_ += by, *this; }
  counting& operator-=(difference_type by) { return at_ -= by, *this; }
  counting& operator++() { return *this += 1; }
  counting& operator--() { return *this -= 1; }
  counting operator++(int) { return counting(at_++); }
  counting operator--(int) { return counting(at_--); }
  friend counting operator+(counting a, difference_type by) { return a += by; }
  friend counting operator+(difference_type by, counting a) { return a += by; }
  friend counting operator-(counting a, difference_type by) { return a -= by; }
  friend difference_type operator-(counting a, counting b) { return a.at_ - b.at_; }
  friend bool operator==(counting, counting) = default;
  friend auto operator<=>(counting, counting) = default;

 private:
  long at_ = 0;
};

namespace {

constexpr long no_end = std::numeric_limits<long>::max();

TEST_P(failure_on, ends_what_has_nearly_no_end) {
  const counting first(0), last(no_end);
  expect_end("parallel_for",
             [](auto& call) { parallel_for(0L, no_end, [&](long i) { call(i == 0); }); });
  expect_end("parallel_for of more", [](auto& call) {
    parallel_for(std::uint64_t{0}, ~std::uint64_t{0}, [&](std::uint64_t i) { call(i == 0); });
  });
  expect_end("a box", [](auto& call) {
    parallel_for(blocked_range(index_range(0L, no_end), index_range(0L, no_end)),
                 [&](long i, long j) { call(i == 0 && j == 0); });
  });
  expect_end("for_each", [&](auto& call) { for_each(first, last, [&](long i) { call(i == 0); }); });
  expect_end("for_each_chunk", [&](auto& call) {
    for_each_chunk(first, last, [&](auto chunk) { call(*chunk.begin() == 0); });
  });
  expect_end("reducer", [](auto& call) {
    reducer<long, std::plus<>>().over(0L, no_end, [&](long i, long&) { call(i == 0); });
  });
  expect_end("parallel_reduce", [](auto& call) {
    parallel_reduce(
        0L, no_end, 0L, [&](long i) { return call(i == 0), i; }, std::bit_xor<>{});
  });
  expect_end("transform_reduce", [&](auto& call) {
    transform_reduce(first, last, 0L, std::bit_xor<>{}, [&](long i) { return call(i == 0), i; });
  });
  expect_end("count_if", [&](auto& call) {
    count_if(first, last, [&](long i) { return call(i == 0), true; });
  });
  expect_end("find_if", [&](auto& call) {
    find_if(first, last, [&](long i) { return call(i == 0), false; });
  });
  expect_end("histogram", [&](auto& call) {
    histogram(first, last, 9, [&](long i) { return call(i == 0), i % 9; });
  });
  expect_end("a stream", [&](auto& call) {
    for_each(
        iterator_range(first, last) | views::filter([&](long i) { return call(i == 0), true; }),
        [](long) {});
  });
}

TEST(failure, lets_parts_before_it_go_on) {
  failure failed;
  EXPECT_THROW(failed.watch(10, []() -> int { throw planted(); }), planted);
  EXPECT_NO_THROW(failed.check(10));
  EXPECT_THROW(failed.check(11), stopped);
  EXPECT_THROW(failed.watch(5, []() -> int { throw planted(); }), planted);
  EXPECT_THROW(failed.watch(7, []() -> int { throw planted(); }), planted);
  EXPECT_FALSE(failed.is_before(5));
  EXPECT_TRUE(failed.is_before(6));
}

TEST(failure, ends_a_leaf_that_runs_in_short_chunks) {
  thread_pool pool({.workers = 1});
  pool.run([] {
    failure failed;
    int seen = 0;
    const auto run = [&](std::uint64_t from, std::uint64_t to) {
      seen += static_cast<int>(to - from);
      EXPECT_THROW(failed.watch(3, [] { throw planted(); }), planted);
    };
    loop_range<std::uint64_t> left{0, 4'096};
    patience before(4'096, log2_element_chunks, base::ticks(), failed, 3);
    before.walk(left, run);
    EXPECT_EQ(seen, 4'096) << "it was the one that failed, or before that";
    left = {0, 4'096};
    seen = 0;
    patience behind(4'096, log2_element_chunks, base::ticks(), failed, 4);
    behind.walk(left, run);
    EXPECT_EQ(seen, 128) << "one chunk, a 32nd of the leaf";
    EXPECT_EQ(left.first, 128u);
  });
}

}  // namespace
}  // namespace filch::algo
