#include <filch/algo/algo_test.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

namespace filch::inline v0_2::algo {
namespace {

class pipeline_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, pipeline_on, widths);

/// Makes 0, 1, ... below `count`.
auto count_to(std::size_t count) {
  return [next = std::size_t{0}, count]() mutable {
    return next == count ? std::optional<std::size_t>{} : std::optional{next++};
  };
}

/// Fails when two are in it at once; what a serial stage must never let happen.
class one_at_a_time {
 public:
  template <class F>
  auto operator()(F f) {
    EXPECT_EQ(inside_.fetch_add(1), 0);
    auto result = f();
    inside_.fetch_sub(1);
    return result;
  }

 private:
  std::atomic<int> inside_{0};
};

TEST_P(pipeline_on, brings_everything_through_all_stages_in_order_where_that_is_asked_for) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;
    std::vector<std::string> out;
    std::vector<std::size_t> log;
    one_at_a_time second, last;
    pipeline(items_in_flight{1 + random(9)}, count_to(n),
             parallel_stage([](std::size_t i) { return i * i; }),
             serial_stage([&](std::size_t square) {
               return second([&] {
                 log.push_back(square);
                 return square;
               });
             }),
             parallel_stage([](std::size_t square) { return std::to_string(square); }),
             serial_in_order_stage([&](std::string text) {
               last([&] {
                 out.push_back(std::move(text));
                 return 0;
               });
             }));
    ASSERT_EQ(out.size(), n);
    ASSERT_EQ(log.size(), n);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], std::to_string(i * i));
    std::sort(log.begin(), log.end());
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(log[i], i * i);
  });
}

TEST_P(pipeline_on, needs_no_limit) {
  std::atomic<std::size_t> sum{0};
  const auto add = [&](std::size_t i) { sum += i; };
  pipeline(count_to(100), parallel_stage(add));
  pipeline(with(deterministic), count_to(100), serial_stage(add));
  pipeline({}, count_to(100), parallel_stage(add));
  EXPECT_EQ(sum, 3u * 4'950u);
}

TEST_P(pipeline_on, never_has_more_items_on_their_way_than_allowed) {
  repeatedly([](draw& random) {
    const std::size_t limit = 1 + random(4);
    std::atomic<std::size_t> inside{0};
    std::atomic<bool> is_bounded{true};
    pipeline(
        items_in_flight{limit},
        [&, next = 0]() mutable -> std::optional<int> {
          if (next == 100) return {};
          if (++inside > limit) is_bounded = false;
          return next++;
        },
        parallel_stage([](int i) { return i; }), serial_in_order_stage([&](int) { --inside; }));
    EXPECT_TRUE(is_bounded);
    EXPECT_EQ(inside, 0u);
  });
}

/// One of few: counts those that hold something, as opposed to those that were moved from.
class buffer {
 public:
  buffer() : is_held_{true} { ++held; }
  buffer(buffer&& other) noexcept : is_held_{std::exchange(other.is_held_, false)} {}
  buffer& operator=(buffer&& other) noexcept {
    std::swap(is_held_, other.is_held_);
    return *this;
  }
  ~buffer() {
    if (!is_held_) return;
#if defined(FILCH_TESTING)
    testing::point("giving a buffer back");
#endif
    --held;
  }
  static inline std::atomic<std::size_t> held{0};

 private:
  bool is_held_;
};

TEST_P(pipeline_on, destroys_an_item_before_another_takes_its_place) {
  repeatedly([](draw& random) {
    const std::size_t limit = 1 + random(3);
    bool is_bounded = true;
    const auto source = [&, next = 0]() mutable -> std::optional<buffer> {
      if (next++ == 100) return {};
      if (buffer::held >= limit) is_bounded = false;
      return buffer{};
    };
    const auto look = [](const buffer&) {};
    const auto pass_on = [](buffer one) { return one; };
    switch (random(4)) {
      case 0: pipeline(items_in_flight{limit}, source, parallel_stage(look)); break;
      case 1: pipeline(items_in_flight{limit}, source, serial_stage(look)); break;
      case 2:
        pipeline(items_in_flight{limit}, source, parallel_stage(pass_on),
                 serial_in_order_stage(look));
        break;
      default:
        pipeline(items_in_flight{limit}, source, serial_stage(pass_on), parallel_stage(pass_on));
        break;
    }
    EXPECT_TRUE(is_bounded);
    EXPECT_EQ(buffer::held, 0u);
  });
}

TEST(token_count, sends_one_job_at_a_time_after_the_one_that_draws) {
  token_count tokens{2};
  ASSERT_EQ(tokens.take(), 0u);
  EXPECT_TRUE(tokens.drawn());
  // The first job goes on drawing, while no worker has time for the job that follows
  for (std::uint64_t item = 1; item < 5; ++item) {
    tokens.give_back();
    ASSERT_EQ(tokens.take(), item);
    EXPECT_FALSE(tokens.drawn()) << "one more job for every item";
  }
  tokens.follow();
  EXPECT_TRUE((tokens.give_back(), tokens.take(), tokens.drawn()));
}

TEST_P(pipeline_on, moves_items_that_cannot_be_copied) {
  repeatedly([](draw&) {
    int sum = 0;
    pipeline(
        items_in_flight{},
        [next = 0]() mutable {
          return next == 50 ? std::optional<std::unique_ptr<int>>{} : std::make_unique<int>(next++);
        },
        parallel_stage([](std::unique_ptr<int> item) {
          ++*item;
          return item;
        }),
        serial_stage([&](std::unique_ptr<int> item) { sum += *item; }));
    EXPECT_EQ(sum, 1275);
  });
}

TEST_P(pipeline_on, takes_items_that_cannot_be_assigned_and_any_limit) {
  repeatedly([](draw&) {
    std::vector<std::size_t> out;
    pipeline(items_in_flight{~std::size_t{0}}, count_to(40),
             parallel_stage([](std::size_t i) { return [i] { return i; }; }),
             serial_stage([](auto item) { return item; }),
             serial_in_order_stage([&](auto item) { out.push_back(item()); }));
    ASSERT_EQ(out.size(), 40u);
    for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(out[i], i);
  });
}

TEST_P(pipeline_on, stages_may_use_the_pool_themselves) {
  repeatedly([](draw&) {
    std::vector<int> sums;
    pipeline(items_in_flight{3}, count_to(10), parallel_stage([](std::size_t i) {
               return parallel_reduce(
                   0, static_cast<int>(10 * i), 0, [](int each) { return each; }, std::plus<>{});
             }),
             serial_in_order_stage([&](int sum) { sums.push_back(sum); }));
    ASSERT_EQ(sums.size(), 10u);
    EXPECT_EQ(sums[9], 4005);
  });
}

TEST_P(pipeline_on, an_exception_of_any_stage_ends_it) {
  repeatedly([](draw& random) {
    const std::uint64_t bad = random(4);
    const auto throws_in = [bad](std::uint64_t stage, std::size_t item) {
      if (bad == stage && item == 20) throw std::runtime_error("here");
    };
    std::atomic<int> made{0};
    const auto source = [&, next = std::size_t{0}]() mutable -> std::optional<std::size_t> {
      throws_in(0, next);
      ++made;
      return next++;  // without end
    };
    const auto stage = [&](std::uint64_t number) {
      return [&, number](std::size_t item) {
        throws_in(number, item);
        return item;
      };
    };
    EXPECT_THROW(pipeline(items_in_flight{4}, source, parallel_stage(stage(1)),
                          serial_stage(stage(2)), serial_in_order_stage(stage(3))),
                 std::runtime_error);
    EXPECT_GE(made, 20);
  });
}

TEST_P(pipeline_on, drops_items_that_wait_at_a_door_when_a_stage_throws) {
  repeatedly([](draw& random) {
    const std::uint64_t bad = random(30);
    const auto pass_on = [](buffer one) { return one; };
    const auto fails_once = [&, number = std::uint64_t{0}](buffer) mutable {
      if (number++ == bad) throw std::runtime_error("here");  // the door stays closed behind it
    };
    EXPECT_THROW(pipeline(
                     items_in_flight{8}, []() -> std::optional<buffer> { return buffer{}; },
                     parallel_stage(pass_on), serial_in_order_stage(fails_once)),
                 std::runtime_error);
    EXPECT_EQ(buffer::held, 0u);
  });
}

TEST_P(pipeline_on, can_be_stopped_though_its_source_has_no_end) {
  repeatedly([](draw& random) {
    std::stop_source stop;
    const int last = static_cast<int>(random(50));
    EXPECT_THROW(pipeline(
                     with(stop.get_token()), items_in_flight{4},
                     [next = 0]() mutable { return std::optional{next++}; },
                     serial_in_order_stage([&](int i) {
                       if (i == last) stop.request_stop();
                     })),
                 stopped);
  });
}

TEST_P(pipeline_on, no_stage_begins_behind_a_stop) {
  repeatedly([](draw& random) {
    std::stop_source stop;
    const int last = static_cast<int>(random(50));
    std::atomic<unsigned> late{0};
    const auto count_late = [&](int i) {
      if (stop.stop_requested()) ++late;
      return i;
    };
    const auto stop_at_last = [&](int i) {
      if (i == last) stop.request_stop();
      return i;
    };
    EXPECT_THROW(pipeline(
                     with(stop.get_token()), items_in_flight{8},
                     [next = 0]() mutable { return std::optional{next++}; },
                     serial_in_order_stage(stop_at_last), parallel_stage(count_late),
                     serial_stage(count_late), parallel_stage(count_late)),
                 stopped);
    EXPECT_LT(late, GetParam()) << "each other worker had begun one";
  });
}

}  // namespace
}  // namespace filch::algo
