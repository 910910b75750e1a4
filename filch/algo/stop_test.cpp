// A stop or a deadline before the call: an algorithm does nothing, however short the range. A
// deadline that comes meanwhile ends a loop.
#include <filch/algo/stop_on_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <optional>
#include <thread>

namespace filch::inline v0_2::algo {
namespace {

INSTANTIATE_TEST_SUITE_P(workers, stop_on, widths);

/// Calls algorithms with a token that has been asked to stop. Each must throw `stopped` and write
/// nothing.
class asked_to_stop {
 public:
  explicit asked_to_stop(std::size_t n) : in_(n), same_(n) {
    // No algorithm below would leave it, or `out`, as it is
    std::iota(in_.rbegin(), in_.rend(), 0);
    same_ = in_;
    out_ = std::vector<int>(2 * n, -1);
    source_.request_stop();
  }

  /// `call(how, range, out)`.
  template <class Call>
  void expect_nothing(const char* name, Call call) {
    EXPECT_THROW(call(with(source_.get_token()), in_, out_.begin()), stopped)
        << name << " of " << in_.size();
    EXPECT_EQ(in_, same_) << name;
    EXPECT_EQ(std::count(out_.begin(), out_.end(), -1), std::ssize(out_)) << name;
  }

 private:
  std::stop_source source_;
  std::vector<int> in_, same_, out_;
};

#if !defined(FILCH_TESTING)
// The working thread itself reads the clock, so one worker suffices.
TEST_P(stop_on, a_deadline_ends_a_loop_within_a_leaf) {
  using namespace std::chrono_literals;
  thread_pool pool({.workers = GetParam()});
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<int> calls{0};
  const auto nap = [&](int) {
    ++calls;
    std::this_thread::sleep_for(1ms);
  };
  pool.run([&] {
    EXPECT_THROW(parallel_for(with(time_limit{20ms}), 0, 100'000, nap), stopped);
    EXPECT_THROW(
        parallel_for(with(deadline{std::chrono::steady_clock::now() + 20ms}), 0, 100'000, nap),
        stopped);
  });
  EXPECT_GT(calls, 1);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);  // all of it takes minutes
}

TEST_P(stop_on, a_deadline_that_does_not_come_changes_nothing) {
  using namespace std::chrono_literals;
  thread_pool pool({.workers = GetParam()});
  std::vector<int> numbers(100'000);
  pool.run([&] {
    iota(with(time_limit{1h}), numbers, 0);
    sort(with(time_limit{std::chrono::nanoseconds::max()}), numbers, std::greater<>{});
  });
  EXPECT_TRUE(std::ranges::is_sorted(numbers, std::greater<>{}));
}

TEST_P(stop_on, a_deadline_that_is_over_begins_nothing) {
  thread_pool pool({.workers = GetParam()});
  std::vector<int> numbers{3, 2, 1};
  pool.run([&] {
    EXPECT_THROW(sort(with(time_limit{std::chrono::nanoseconds(-1)}), numbers), stopped);
    EXPECT_THROW(sort(with(deadline{std::chrono::steady_clock::time_point{}}), numbers), stopped);
  });
  EXPECT_EQ(numbers, (std::vector{3, 2, 1}));
}
#endif

void expect_no_loop_begins(asked_to_stop& run) {
  const auto spoil = [](int& each) { each = -7; };
  run.expect_nothing("parallel_for", [&](auto how, auto& v, auto) { parallel_for(how, v, spoil); });
  run.expect_nothing("parallel_reduce", [](auto how, auto& v, auto) {
    parallel_reduce(how, v.begin(), v.end(), 0, std::identity{}, std::plus<>{});
  });
  run.expect_nothing("parallel_reduce of a range", [](auto how, auto& v, auto) {
    parallel_reduce(how, v, 0, std::identity{}, std::plus<>{});
  });
  run.expect_nothing("parallel_for over a box", [](auto how, auto& v, auto) {
    parallel_for(
        how, blocked_range(index_range<std::size_t>(0, v.size()), index_range<std::size_t>(0, 1)),
        [&](std::size_t i, std::size_t) { v[i] = -7; });
  });
  run.expect_nothing("for_each", [&](auto how, auto& v, auto) { for_each(how, v, spoil); });
  run.expect_nothing("for_each_chunk", [](auto how, auto& v, auto) {
    for_each_chunk(how, v, [](auto chunk) { std::ranges::fill(chunk, -7); });
  });
  run.expect_nothing("reducer", [](auto how, auto& v, auto) {
    reducer<int, std::plus<>>().over(how, v, [](int& each, int&) { each = -7; });
  });
  run.expect_nothing("pipeline", [](auto how, auto& v, auto) {
    const auto spoil_first = [&] {
      v.front() = -7;
      return std::optional<int>();
    };
    pipeline(how, items_in_flight{2}, spoil_first, serial_stage([](int) {}));
  });
  run.expect_nothing("for_each of a stream", [&](auto how, auto& v, auto) {
    for_each(how, v | views::filter(is_even), spoil);
  });
  run.expect_nothing("for_each_worklist", [](auto how, auto& v, auto) {
    for_each_worklist(how, std::vector<int>(v), [&](int, feeder<int>&) { v.front() = -7; });
  });
  run.expect_nothing("transform",
                     [](auto how, auto& v, auto out) { transform(how, v, out, std::negate<>{}); });
  run.expect_nothing("fill", [](auto how, auto& v, auto) { fill(how, v, -7); });
  run.expect_nothing("generate",
                     [](auto how, auto& v, auto) { generate(how, v, [] { return -7; }); });
  run.expect_nothing("iota", [](auto how, auto& v, auto) { iota(how, v, 0); });
  run.expect_nothing("tabulate",
                     [](auto how, auto& v, auto) { tabulate(how, v.size(), std::identity{}); });
  run.expect_nothing("copy", [](auto how, auto& v, auto out) { copy(how, v, out); });
  run.expect_nothing("reverse", [](auto how, auto& v, auto) { reverse(how, v); });
  run.expect_nothing(
      "rotate", [](auto how, auto& v, auto) { rotate(how, v, v.begin() + std::ssize(v) / 2); });
  run.expect_nothing("adjacent_difference",
                     [](auto how, auto& v, auto out) { adjacent_difference(how, v, out); });
}

void expect_no_question_is_answered(asked_to_stop& run) {
  run.expect_nothing("reduce", [](auto how, auto& v, auto) { reduce(how, v); });
  run.expect_nothing("transform_reduce",
                     [](auto how, auto& v, auto) { transform_reduce(how, v, v, 0); });
  run.expect_nothing("count_if", [](auto how, auto& v, auto) { count_if(how, v, is_even); });
  run.expect_nothing("min_element", [](auto how, auto& v, auto) { min_element(how, v); });
  run.expect_nothing("minmax_element", [](auto how, auto& v, auto) { minmax_element(how, v); });
  run.expect_nothing("find", [](auto how, auto& v, auto) { find(how, v, 0); });
  run.expect_nothing("any_of", [](auto how, auto& v, auto) { any_of(how, v, is_even); });
  run.expect_nothing("mismatch", [](auto how, auto& v, auto) { mismatch(how, v, v); });
  run.expect_nothing("equal", [](auto how, auto& v, auto) { equal(how, v, v); });
  run.expect_nothing("lexicographical_compare",
                     [](auto how, auto& v, auto) { lexicographical_compare(how, v, v); });
  run.expect_nothing("is_sorted", [](auto how, auto& v, auto) { is_sorted(how, v); });
  run.expect_nothing("histogram", [](auto how, auto& v, auto) {
    histogram(how, v, 3, [](int each) { return static_cast<std::size_t>(each) % 3; });
  });
  run.expect_nothing("count_by_key", [](auto how, auto& v, auto) { count_by_key(how, v); });
  run.expect_nothing("reduce_by_key", [](auto how, auto& v, auto) {
    reduce_by_key(how, v, std::identity{}, std::identity{});
  });
  run.expect_nothing("top_k", [](auto how, auto& v, auto) { top_k(how, v, 2); });
  run.expect_nothing("sorted", [](auto how, auto& v, auto) { sorted(how, v); });
  run.expect_nothing(
      "to", [](auto how, auto& v, auto) { to<std::vector>(how, v | views::filter(is_even)); });
}

void expect_nothing_moves(asked_to_stop& run) {
  run.expect_nothing("inclusive_scan",
                     [](auto how, auto& v, auto out) { inclusive_scan(how, v, out); });
  run.expect_nothing("exclusive_scan",
                     [](auto how, auto& v, auto out) { exclusive_scan(how, v, out, 0); });
  run.expect_nothing("transform_inclusive_scan", [](auto how, auto& v, auto out) {
    transform_inclusive_scan(how, v, out, std::plus<>{}, std::negate<>{});
  });
  run.expect_nothing("transform_exclusive_scan", [](auto how, auto& v, auto out) {
    transform_exclusive_scan(how, v, out, 0, std::plus<>{}, std::negate<>{});
  });
  run.expect_nothing("pack", [](auto how, auto& v, auto out) { pack(how, v, v, out); });
  run.expect_nothing("flatten", [](auto how, auto& v, auto out) {
    flatten(how, std::vector{v, v}, out);
  });
  run.expect_nothing("copy_if", [](auto how, auto& v, auto out) { copy_if(how, v, out, is_even); });
  run.expect_nothing("partition_copy", [](auto how, auto& v, auto out) {
    partition_copy(how, v, out, out + std::ssize(v), is_even);
  });
  run.expect_nothing("stable_partition",
                     [](auto how, auto& v, auto) { stable_partition(how, v, is_even); });
  run.expect_nothing("remove_if", [](auto how, auto& v, auto) { remove_if(how, v, is_even); });
  run.expect_nothing("unique", [](auto how, auto& v, auto) { unique(how, v); });
  run.expect_nothing("group_by_key", [](auto how, auto& v, auto) { group_by_key(how, v); });
  run.expect_nothing("sort", [](auto how, auto& v, auto) { sort(how, v); });
  run.expect_nothing("stable_sort", [](auto how, auto& v, auto) { stable_sort(how, v); });
  run.expect_nothing("integer_sort", [](auto how, auto& v, auto) { integer_sort(how, v); });
  run.expect_nothing("nth_element",
                     [](auto how, auto& v, auto) { nth_element(how, v, v.begin()); });
  run.expect_nothing("partial_sort",
                     [](auto how, auto& v, auto) { partial_sort(how, v, v.end()); });
  run.expect_nothing("merge", [](auto how, auto& v, auto out) { merge(how, v, v, out); });
  run.expect_nothing("set_union", [](auto how, auto& v, auto out) { set_union(how, v, v, out); });
  run.expect_nothing("random_shuffle", [](auto how, auto& v, auto) { random_shuffle(how, v, 1); });
}

TEST_P(stop_on, no_algorithm_begins_when_it_has_been_asked_for_before) {
  repeatedly([](draw& random) {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{7},
                                std::size_t{500 + random(1'000)}, std::size_t{20'000}}) {
      asked_to_stop run(n);
      expect_no_loop_begins(run);
      expect_no_question_is_answered(run);
      expect_nothing_moves(run);
    }
  });
}

}  // namespace
}  // namespace filch::algo
