// A stop by a function that an algorithm calls: few calls follow. An exception of such a function:
// on one worker none follow.
#include <filch/algo/stop_on_test.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <thread>

namespace filch::inline v0_2::algo {
namespace {

#if !defined(FILCH_TESTING)  // there sizes are so small that everything ends soon

struct planted {};  ///< What a call throws.

/// How an algorithm is ended, and how many calls may follow.
struct ending {
  enum class by { stop, exception } what;
  std::uint64_t most_calls;
};

/// Counts the calls of an algorithm, and asks for a stop at one of them or throws there. Holds the
/// calls that follow until then: the thread that asks may lose its processor first, and the others
/// would finish in the meantime.
class end_midway {
 public:
  end_midway(ending::by what, std::uint64_t calls_before)
      : what_{what}, calls_before_{calls_before} {}

  settings how() const {
    return what_ == ending::by::stop ? with(source_.get_token(), grain_items{100})
                                     : with(grain_items{100});
  }
  void operator()() {
    const std::uint64_t before = calls_.fetch_add(1, base::relaxed);
    if (what_ == ending::by::exception) return before == calls_before_ ? throw planted() : void();
    if (before == calls_before_) source_.request_stop();
    while (before > calls_before_ && !source_.stop_requested()) std::this_thread::yield();
  }
  std::uint64_t calls() const { return calls_.load(base::relaxed); }
  std::uint64_t after() const { return calls() - std::min(calls(), calls_before_ + 1); }

 private:
  ending::by what_;
  std::uint64_t calls_before_;
  std::stop_source source_;
  base::atomic<std::uint64_t> calls_{0};
};

/// Whether the algorithm ended by what should end it.
template <class Run>
bool ends_by(ending::by what, Run run) {
  try {
    run();
  } catch (const stopped&) {
    EXPECT_EQ(what, ending::by::stop);
    return true;
  } catch (const planted&) {
    EXPECT_EQ(what, ending::by::exception);
    return true;
  }
  return false;
}

/// Runs an algorithm to its end, and then again, to end it on the way.
template <class Run>
void expect_soon(const char* name, const ending& end, Run run) {
  end_midway never(end.what, std::numeric_limits<std::uint64_t>::max() - 1);
  run(never);
  for (const unsigned percent : {0u, 10u, 50u, 80u, 95u}) {
    end_midway at(end.what, never.calls() / 100 * percent);
    const bool has_ended = ends_by(end.what, [&] { run(at); });
    if (percent <= 50) {  // else what is left may be finished after a stop
      EXPECT_TRUE(has_ended) << name << " at " << percent << " %";
    }
    EXPECT_LE(at.after(), end.most_calls)
        << name << " at " << percent << " % of " << never.calls() << " calls";
  }
}

constexpr std::size_t many = 100'000;

void expect_loops_end_soon(const ending& end, const std::vector<int>& in, std::vector<int>& out) {
  expect_soon("for_each", end,
              [&](end_midway& call) { for_each(call.how(), in, [&](int) { call(); }); });
  expect_soon("count_if", end, [&](end_midway& call) {
    count_if(call.how(), in, [&](int each) { return call(), is_even(each); });
  });
  expect_soon("reduce", end, [&](end_midway& call) {
    reduce(call.how(), in, 0u, [&](unsigned a, unsigned b) { return call(), a + b; });
  });
  expect_soon("parallel_for over a box", end, [&](end_midway& call) {
    parallel_for(call.how(), blocked_range(index_range(0, 400), index_range(0, 250)),
                 [&](int, int) { call(); });
  });
  expect_soon("reducer", end, [&](end_midway& call) {
    reducer<int, std::plus<>>().over(call.how(), in,
                                     [&](int each, int& sum) { call(), sum ^= each; });
  });
  expect_soon("for_each_worklist", end, [&](end_midway& call) {
    for_each_worklist(call.how(), std::vector<int>(in), [&](int, feeder<int>&) { call(); });
  });
  expect_soon("for_each_chunk", end, [&](end_midway& call) {
    for_each_chunk(call.how(), in, [&](auto chunk) {
      for (auto at = chunk.begin(); at != chunk.end(); ++at) call();
    });
  });
  expect_soon("generate", end,
              [&](end_midway& call) { generate(call.how(), out, [&] { return call(), 1; }); });
  expect_soon("adjacent_difference", end, [&](end_midway& call) {
    adjacent_difference(call.how(), in, out.begin(), [&](int a, int b) { return call(), a ^ b; });
  });
  expect_soon("pipeline", end, [&](end_midway& call) {
    const auto source = [left = 1'000]() mutable {
      return left-- > 0 ? std::optional(left) : std::nullopt;
    };
    pipeline(call.how(), {}, source, parallel_stage([&](int i) { return call(), i; }),
             serial_in_order_stage([&](int i) { return call(), i; }),
             serial_stage([&](int) { call(); }));
  });
  expect_soon("transform", end, [&](end_midway& call) {
    transform(call.how(), in, out.begin(), [&](int each) { return call(), each; });
  });
  expect_soon("tabulate", end, [&](end_midway& call) {
    tabulate(call.how(), many, [&](std::size_t i) { return call(), i; });
  });
  expect_soon("to", end, [&](end_midway& call) {
    to<std::vector>(call.how(), in | views::transform([&](int each) { return call(), each; }));
  });
}

void expect_passes_end_soon(const ending& end, const std::vector<int>& in, std::vector<int>& out) {
  expect_soon("copy_if", end, [&](end_midway& call) {
    copy_if(call.how(), in, out.begin(), [&](int each) { return call(), is_even(each); });
  });
  expect_soon("inclusive_scan", end, [&](end_midway& call) {
    inclusive_scan(call.how(), in, out.begin(), [&](int a, int b) { return call(), a ^ b; });
  });
  const auto stop_in_place = [&](const char* name, auto change) {
    expect_soon(name, end, [&](end_midway& call) {
      auto values = in;
      change(call.how(), values, [&](int each) { return call(), is_even(each); });
    });
  };
  stop_in_place("remove_if", filch::remove_if);
  stop_in_place("stable_partition", filch::stable_partition);
  stop_in_place("unique", [](auto how, auto& values, auto ask) {
    unique(how, values, [&](int a, int b) { return ask(a) && a == b; });
  });
}

void expect_questions_end_soon(const ending& end, const std::vector<int>& in) {
  expect_soon("find_if", end, [&](end_midway& call) {
    find_if(call.how(), in, [&](int each) { return call(), each < 0; });
  });
  expect_soon("min_element", end, [&](end_midway& call) {
    min_element(call.how(), in, [&](int a, int b) { return call(), a < b; });
  });
  expect_soon("mismatch", end, [&](end_midway& call) {
    mismatch(call.how(), in, in, [&](int a, int b) { return call(), a == b; });
  });
  expect_soon("is_sorted", end, [&](end_midway& call) {
    is_sorted(call.how(), in, [&](int, int) { return call(), false; });
  });
  expect_soon("minmax_element", end, [&](end_midway& call) {
    minmax_element(call.how(), in, [&](int a, int b) { return call(), a < b; });
  });
  expect_soon("top_k", end, [&](end_midway& call) {
    top_k(call.how(), in, 10, [&](int a, int b) { return call(), a < b; });
  });
  expect_soon("count_by_key", end, [&](end_midway& call) {
    count_by_key(call.how(), in, [&](int each) { return call(), each % 100; });
  });
  expect_soon("histogram", end, [&](end_midway& call) {
    histogram(call.how(), in, 100, [&](int each) { return call(), each % 100; });
  });
}

void expect_sorts_end_soon(const ending& end, const std::vector<int>& in) {
  const auto stop_comparing = [&](const char* name, auto sort) {
    expect_soon(name, end, [&](end_midway& call) {
      auto values = in;
      sort(call.how(), values, [&](int a, int b) { return call(), a < b; });
    });
  };
  stop_comparing("sort", filch::sort);
  stop_comparing("stable_sort", filch::stable_sort);
  stop_comparing("partial_sort", [](auto how, auto& values, auto less) {
    partial_sort(how, values, values.begin() + std::ssize(values) / 3, less);
  });
  stop_comparing("sorted", [](auto how, auto& values, auto less) { sorted(how, values, less); });
  stop_comparing("nth_element", [](auto how, auto& values, auto less) {
    nth_element(how, values, values.begin() + std::ssize(values) / 3, less);
  });
  std::vector<int> sorted_in = in, out(2 * in.size());
  std::ranges::sort(sorted_in);
  stop_comparing("merge", [&](auto how, auto&, auto less) {
    merge(how, sorted_in, sorted_in, out.begin(), less);
  });
  stop_comparing("set_union", [&](auto how, auto&, auto less) {
    set_union(how, sorted_in, sorted_in, out.begin(), less);
  });
}

/// Calls a function when it is moved.
struct restless {
  static inline end_midway* call = nullptr;
  int number = 0;
  restless() = default;
  restless(restless&& other) noexcept(false) { *this = std::move(other); }
  restless& operator=(restless&& other) noexcept(false) {
    number = other.number;
    (*call)();
    return *this;
  }
};

void expect_a_shuffle_ends_soon(const ending& end) {
  std::vector<restless> values(many);
  expect_soon("random_shuffle", end, [&](end_midway& call) {
    restless::call = &call;
    random_shuffle(call.how(), values, 1);
  });
}

/// How many calls may follow in which algorithms.
struct limits {
  std::uint64_t in_loops, in_sorts, in_shuffles;
};

void expect_all_end_soon(unsigned workers, ending::by what, const limits& most) {
  thread_pool pool({.workers = workers});
  pool.run([&] {
    draw random{workers};
    const std::vector<int> in = random.numbers(many, 1'000'000);
    std::vector<int> out(many);
    expect_loops_end_soon({what, workers * most.in_loops}, in, out);
    expect_passes_end_soon({what, workers * most.in_loops}, in, out);
    expect_questions_end_soon({what, workers * most.in_loops}, in);
    expect_sorts_end_soon({what, workers * most.in_sorts}, in);
    expect_a_shuffle_ends_soon({what, workers * most.in_shuffles});
  });
}

TEST_P(stop_on, not_many_calls_follow_on_a_stop) {
  expect_all_end_soon(GetParam(), ending::by::stop, {1'000, 50'000, 50'000});
}

// With more workers lower ranges go on, since the lowest exception gets out: failure_test.cpp.
TEST(stop, on_one_worker_no_call_follows_on_an_exception) {
  expect_all_end_soon(1, ending::by::exception, {0, 0, 0});
}

#endif

}  // namespace
}  // namespace filch::algo
