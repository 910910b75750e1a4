// Random operations of one thread against std::deque.
#include <filch/base/clock.hpp>
#include <filch/base/rng.hpp>
#include <filch/queue/deque.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <string>

namespace {

using filch::base::below;
using filch::queue::steal_outcome;
using queue_of_ints = filch::queue::deque<int>;

/// A deque under test beside the plain one that it must agree with.
struct pair {
  explicit pair(filch::queue::deque_options options) : tested{options} {}
  queue_of_ints tested;
  std::deque<int> plain;

  std::optional<int> expected_back() {
    if (plain.empty()) return std::nullopt;
    const int back = plain.back();
    plain.pop_back();
    return back;
  }
  std::optional<int> expected_front() {
    if (plain.empty()) return std::nullopt;
    const int front = plain.front();
    plain.pop_front();
    return front;
  }
};

void push(pair& mine, int item) {
  mine.tested.push(item);
  mine.plain.push_back(item);
}

void steal(pair& mine) {
  const auto expected = mine.expected_front();
  const auto loot = mine.tested.steal();
  ASSERT_EQ(loot.outcome, expected ? steal_outcome::got_job : steal_outcome::was_empty);
  if (expected) {
    ASSERT_EQ(loot.item, *expected);
  }
}

void steal_half(pair& victim, pair& thief) {
  const std::size_t expected_count = (victim.plain.size() + 1) / 2;
  const auto batch_steal_result = victim.tested.steal_half_into(thief.tested);
  ASSERT_EQ(batch_steal_result.outcome,
            expected_count > 0 ? steal_outcome::got_job : steal_outcome::was_empty);
  ASSERT_EQ(batch_steal_result.moved_count, expected_count);
  for (std::size_t i = 0; i < expected_count; ++i) thief.plain.push_back(*victim.expected_front());
}

void step(pair& mine, pair& other, std::uint64_t random) {
  const int burst = static_cast<int>(random % 7);
  switch (below(random, 10)) {
    case 0: ASSERT_EQ(mine.tested.pop(), mine.expected_back()); break;
    case 1: ASSERT_EQ(mine.tested.take_oldest(), mine.expected_front()); break;
    case 2: steal(mine); break;
    case 3: steal_half(other, mine); break;
    case 4:
    case 5:
      for (int i = 0; i < burst; ++i) ASSERT_EQ(mine.tested.pop(), mine.expected_back());
      break;
    default:
      for (int i = 0; i < burst; ++i) push(mine, static_cast<int>(random >> 40) + i);
  }
  ASSERT_EQ(mine.tested.size_hint(), mine.plain.size());
}

TEST(deque_fuzz, agrees_with_a_plain_deque) {
  const char* const given_seed = std::getenv("FILCH_SEED");
  const std::uint64_t seed =
      given_seed != nullptr ? std::strtoull(given_seed, nullptr, 10) : filch::base::now_ns();
  SCOPED_TRACE("replay: FILCH_SEED=" + std::to_string(seed) + " ctest -R deque_fuzz");
  filch::base::split_mix64 random{seed};
  for (int round = 0; round < 300; ++round) {
    const auto first_index = static_cast<std::int64_t>(random()) / 2;
    const filch::queue::deque_options options{.capacity = below(random(), 9),
                                              .first_index = first_index};
    pair first{options};
    pair second{options};
    for (int steps = 1000; steps > 0; --steps) {
      const bool swapped = (random() >> 63) != 0;
      ASSERT_NO_FATAL_FAILURE(step(swapped ? second : first, swapped ? first : second, random()));
    }
  }
}

}  // namespace
