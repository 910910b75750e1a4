#include <filch/sched/timer_heap.hpp>

#include <filch/base/rng.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <tuple>

namespace filch::inline v0_2::sched {
namespace {

/// Whether one timer is due before another, by the words of the heap's contract alone.
struct is_before {
  bool operator()(const timer* left, const timer* right) const {
    return std::tie(left->due_ns, left->order) < std::tie(right->due_ns, right->order);
  }
};

/// Adds, takes and removes at random, with `due(n)` as the time of the nth that is added; and
/// checks each of it against a set.
template <class Due>
void agrees_with_a_set(std::uint64_t seed, unsigned of_eight_are_added, Due due) {
  base::split_mix64 random{seed};
  std::array<timer, 64> timers;
  std::set<timer*> idle;
  for (timer& each : timers) idle.insert(&each);
  std::set<timer*, is_before> pending;
  timer_heap heap;
  for (std::uint64_t n = 0; n != 4'000; ++n) {
    ASSERT_EQ(heap.first(), pending.empty() ? nullptr : *pending.begin())
        << "seed " << seed << ", step " << n;
    const bool adds = random() % 8 < of_eight_are_added;
    if (adds && !idle.empty()) {
      timer* const added =
          *std::next(idle.begin(), static_cast<std::ptrdiff_t>(random() % idle.size()));
      idle.erase(added);
      added->due_ns = due(n, random);
      heap.add(*added);
      pending.insert(added);
    } else if (!pending.empty() && random() % 2 == 0) {
      timer* const removed =
          *std::next(pending.begin(), static_cast<std::ptrdiff_t>(random() % pending.size()));
      heap.remove(*removed);
      pending.erase(removed);
      idle.insert(removed);
    } else if (!pending.empty()) {
      ASSERT_EQ(heap.take_first(), *pending.begin()) << "seed " << seed << ", step " << n;
      idle.insert(*pending.begin());
      pending.erase(pending.begin());
    }
  }
  for (; !pending.empty(); pending.erase(pending.begin()))
    ASSERT_EQ(heap.take_first(), *pending.begin()) << "seed " << seed;
  EXPECT_TRUE(heap.is_empty());
}

template <class Due>
void agrees_with_a_set(Due due) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const unsigned of_eight_are_added : {3u, 4u, 6u})
      agrees_with_a_set(seed, of_eight_are_added, due);
  }
}

TEST(timer_heap, orders_timers_of_one_length_by_when_they_were_added) {
  agrees_with_a_set([](std::uint64_t n, base::split_mix64&) { return 1'000 + n / 3; });
}
TEST(timer_heap, orders_timers_of_two_lengths) {
  agrees_with_a_set([](std::uint64_t n, base::split_mix64& random) {
    return n + (random() % 2 == 0 ? 10 : 1'000);
  });
}
TEST(timer_heap, orders_timers_at_any_time) {
  agrees_with_a_set([](std::uint64_t, base::split_mix64& random) { return random() % 50; });
}

}  // namespace
}  // namespace filch::sched
