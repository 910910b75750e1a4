// A stop that was asked for before an algorithm is called: it does nothing, however short the range.
#include <filch/algo/algo_test.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace filch::algo {
namespace {

class stop_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, stop_on, widths);

/// Calls algorithms with a token that has been asked to stop. Each must say so and write nothing.
class asked_to_stop {
 public:
  explicit asked_to_stop(std::size_t n) : in_(n), same_(n) {
    std::iota(in_.rbegin(), in_.rend(), 0);  // no algorithm below would leave it, or `out`, as it is
    same_ = in_;
    out_ = std::vector<int>(2 * n, -1);
    source_.request_stop();
  }

  /// `call(how, range, out)`.
  template <class Call>
  void expect_nothing(const char* name, Call call) {
    EXPECT_THROW(call(with(source_.get_token()), in_, out_.begin()), stopped) << name << " of " << in_.size();
    EXPECT_EQ(in_, same_) << name;
    EXPECT_EQ(std::count(out_.begin(), out_.end(), -1), std::ssize(out_)) << name;
  }

 private:
  std::stop_source source_;
  std::vector<int> in_, same_, out_;
};

constexpr auto is_even = [](int i) { return i % 2 == 0; };

void expect_no_loop_begins(asked_to_stop& run) {
  const auto spoil = [](int& each) { each = -7; };
  run.expect_nothing("parallel_for", [&](auto how, auto& v, auto) { parallel_for(how, v, spoil); });
  run.expect_nothing("parallel_reduce", [](auto how, auto& v, auto) {
    parallel_reduce(how, v.begin(), v.end(), 0, std::identity{}, std::plus<>{});
  });
  run.expect_nothing("parallel_for over a box", [](auto how, auto& v, auto) {
    parallel_for(how, blocked_range(index_range<std::size_t>(0, v.size()), index_range<std::size_t>(0, 1)),
                 [&](std::size_t i, std::size_t) { v[i] = -7; });
  });
  run.expect_nothing("for_each", [&](auto how, auto& v, auto) { for_each(how, v, spoil); });
  run.expect_nothing("for_each of a stream",
                     [&](auto how, auto& v, auto) { for_each(how, v | views::filter(is_even), spoil); });
  run.expect_nothing("while_each", [](auto how, auto& v, auto) {
    while_each(how, std::vector<int>(v), [&](int, feeder<int>&) { v.front() = -7; });
  });
  run.expect_nothing("transform", [](auto how, auto& v, auto out) { transform(how, v, out, std::negate<>{}); });
  run.expect_nothing("fill", [](auto how, auto& v, auto) { fill(how, v, -7); });
  run.expect_nothing("generate", [](auto how, auto& v, auto) { generate(how, v, [] { return -7; }); });
  run.expect_nothing("iota", [](auto how, auto& v, auto) { iota(how, v, 0); });
  run.expect_nothing("tabulate", [](auto how, auto& v, auto) { tabulate(how, v.size(), std::identity{}); });
  run.expect_nothing("copy", [](auto how, auto& v, auto out) { copy(how, v, out); });
  run.expect_nothing("reverse", [](auto how, auto& v, auto) { reverse(how, v); });
  run.expect_nothing("rotate", [](auto how, auto& v, auto) { rotate(how, v, v.begin() + std::ssize(v) / 2); });
  run.expect_nothing("adjacent_difference", [](auto how, auto& v, auto out) { adjacent_difference(how, v, out); });
}

void expect_no_question_is_answered(asked_to_stop& run) {
  run.expect_nothing("reduce", [](auto how, auto& v, auto) { reduce(how, v); });
  run.expect_nothing("transform_reduce", [](auto how, auto& v, auto) { transform_reduce(how, v, v, 0); });
  run.expect_nothing("count_if", [](auto how, auto& v, auto) { count_if(how, v, is_even); });
  run.expect_nothing("min_element", [](auto how, auto& v, auto) { min_element(how, v); });
  run.expect_nothing("minmax_element", [](auto how, auto& v, auto) { minmax_element(how, v); });
  run.expect_nothing("find", [](auto how, auto& v, auto) { find(how, v, 0); });
  run.expect_nothing("any_of", [](auto how, auto& v, auto) { any_of(how, v, is_even); });
  run.expect_nothing("mismatch", [](auto how, auto& v, auto) { mismatch(how, v, v); });
  run.expect_nothing("equal", [](auto how, auto& v, auto) { equal(how, v, v); });
  run.expect_nothing("lexicographical_compare", [](auto how, auto& v, auto) { lexicographical_compare(how, v, v); });
  run.expect_nothing("is_sorted", [](auto how, auto& v, auto) { is_sorted(how, v); });
  run.expect_nothing("histogram", [](auto how, auto& v, auto) {
    histogram(how, v, 3, [](int each) { return static_cast<std::size_t>(each) % 3; });
  });
  run.expect_nothing("top_k", [](auto how, auto& v, auto) { top_k(how, v, 2); });
  run.expect_nothing("to", [](auto how, auto& v, auto) { to<std::vector>(how, v | views::filter(is_even)); });
}

void expect_nothing_moves(asked_to_stop& run) {
  run.expect_nothing("inclusive_scan", [](auto how, auto& v, auto out) { inclusive_scan(how, v, out); });
  run.expect_nothing("exclusive_scan", [](auto how, auto& v, auto out) { exclusive_scan(how, v, out, 0); });
  run.expect_nothing("copy_if", [](auto how, auto& v, auto out) { copy_if(how, v, out, is_even); });
  run.expect_nothing("partition_copy",
                     [](auto how, auto& v, auto out) { partition_copy(how, v, out, out + std::ssize(v), is_even); });
  run.expect_nothing("stable_partition", [](auto how, auto& v, auto) { stable_partition(how, v, is_even); });
  run.expect_nothing("remove_if", [](auto how, auto& v, auto) { remove_if(how, v, is_even); });
  run.expect_nothing("unique", [](auto how, auto& v, auto) { unique(how, v); });
  run.expect_nothing("group_by_key", [](auto how, auto& v, auto) { group_by_key(how, v); });
  run.expect_nothing("sort", [](auto how, auto& v, auto) { sort(how, v); });
  run.expect_nothing("stable_sort", [](auto how, auto& v, auto) { stable_sort(how, v); });
  run.expect_nothing("integer_sort", [](auto how, auto& v, auto) { integer_sort(how, v); });
  run.expect_nothing("nth_element", [](auto how, auto& v, auto) { nth_element(how, v, v.begin()); });
  run.expect_nothing("partial_sort", [](auto how, auto& v, auto) { partial_sort(how, v, v.end()); });
  run.expect_nothing("merge", [](auto how, auto& v, auto out) { merge(how, v, v, out); });
  run.expect_nothing("set_union", [](auto how, auto& v, auto out) { set_union(how, v, v, out); });
  run.expect_nothing("random_shuffle", [](auto how, auto& v, auto) { random_shuffle(how, v, 1); });
}

TEST_P(stop_on, no_algorithm_begins_when_it_has_been_asked_for_before) {
  repeatedly([](draw& random) {
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{500 + random(1'000)}, std::size_t{20'000}}) {
      asked_to_stop run(n);
      expect_no_loop_begins(run);
      expect_no_question_is_answered(run);
      expect_nothing_moves(run);
    }
  });
}

}  // namespace
}  // namespace filch::algo
