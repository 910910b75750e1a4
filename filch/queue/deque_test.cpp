#include <filch/queue/deque.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

namespace {

/// The shipped policy, but without memory for slots while `out_of_memory` says so.
struct scarce_sync : filch::base::real_sync {
  static inline bool out_of_memory = false;

  template <class T>
  struct atomic : filch::base::atomic<T> {
    using filch::base::atomic<T>::atomic;
    atomic() {
      if (out_of_memory) throw std::bad_alloc{};
    }
  };
};

/// The shipped policy, but a test may act between a load and what follows it.
struct interrupted_sync : filch::base::real_sync {
  static inline std::function<void()> after_next_load;

  template <class T>
  struct atomic : filch::base::atomic<T> {
    using filch::base::atomic<T>::atomic;
    T load(std::memory_order order) const {
      const T seen = filch::base::atomic<T>::load(order);
      if (after_next_load) std::exchange(after_next_load, nullptr)();
      return seen;
    }
  };
};

using scarce_deque = filch::queue::deque<int, scarce_sync>;
using filch::queue::steal_outcome;
using deque = filch::queue::deque<int>;

template <class Deque>
void push_all(Deque& queue, int first, int last) {
  for (int i = first; i < last; ++i) queue.push(i);
}

template <class Deque>
std::vector<int> popped(Deque& queue) {
  std::vector<int> items;
  while (const auto item = queue.pop()) items.push_back(*item);
  return items;
}

template <class Deque>
std::vector<int> stolen(Deque& queue) {
  std::vector<int> items;
  while (const auto loot = queue.steal()) items.push_back(loot.item);
  return items;
}

using ints = std::vector<int>;

TEST(deque, its_owner_pops_the_youngest) {
  deque queue;
  push_all(queue, 0, 4);
  EXPECT_EQ(popped(queue), (ints{3, 2, 1, 0}));
}

TEST(deque, its_thieves_steal_the_oldest) {
  deque queue;
  push_all(queue, 0, 4);
  EXPECT_EQ(stolen(queue), (ints{0, 1, 2, 3}));
}

// domainslib#56: a size of minus one, by which a caller allocated.
TEST(deque, a_size_is_never_below_zero_though_the_deque_moves_on_meanwhile) {
  filch::queue::deque<int, interrupted_sync> queue;
  queue.push(1);
  interrupted_sync::after_next_load = [&] {
    queue.push(2);
    EXPECT_EQ(stolen(queue), (ints{1, 2}));
  };
  EXPECT_EQ(queue.size_hint(), 0u);
}

TEST(deque, its_owner_can_take_the_oldest_too) {
  deque queue;
  push_all(queue, 0, 4);
  EXPECT_EQ(queue.take_oldest(), 0);
  EXPECT_EQ(queue.pop(), 3);
  EXPECT_EQ(queue.take_oldest(), 1);
  EXPECT_EQ(queue.take_oldest(), 2);
  EXPECT_EQ(queue.take_oldest(), std::nullopt);
}

TEST(deque, emptiness_is_reported_again_and_again) {
  deque queue;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(queue.pop(), std::nullopt);
    EXPECT_EQ(queue.take_oldest(), std::nullopt);
    EXPECT_EQ(queue.steal().outcome, steal_outcome::was_empty);
    EXPECT_EQ(queue.size_hint(), 0u);
    queue.push(round);
    EXPECT_EQ(queue.size_hint(), 1u);
    EXPECT_EQ(queue.pop(), round);
  }
}

TEST(deque, a_million_items_fit) {
  constexpr int count = 1'000'000;
  deque queue{{.capacity = 1}};
  push_all(queue, 0, count);
  EXPECT_EQ(queue.size_hint(), std::size_t{count});
  for (int i = 0; i < count / 2; ++i) ASSERT_EQ(queue.steal().item, i);
  for (int i = count - 1; i >= count / 2; --i) ASSERT_EQ(queue.pop(), i);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(deque, pushes_into_room_only_where_there_is_some) {
  deque queue{{.capacity = 2}};
  EXPECT_TRUE(queue.push_into_room(1));
  EXPECT_TRUE(queue.push_into_room(2));
  EXPECT_FALSE(queue.push_into_room(3));
  EXPECT_EQ(queue.size_hint(), 2u);
  EXPECT_EQ(queue.take_oldest(), 1);
  EXPECT_TRUE(queue.push_into_room(3));
  EXPECT_EQ(queue.take_oldest(), 2);
  EXPECT_EQ(queue.take_oldest(), 3);
  EXPECT_EQ(queue.take_oldest(), std::nullopt);
}

TEST(deque, growing_keeps_items_that_wrap_around_the_end) {
  deque queue{{.capacity = 4}};
  push_all(queue, 0, 3);
  EXPECT_EQ(queue.take_oldest(), 0);
  EXPECT_EQ(queue.take_oldest(), 1);
  push_all(queue, 3, 9);
  EXPECT_EQ(stolen(queue), (ints{2, 3, 4, 5, 6, 7, 8}));
}

TEST(deque, any_capacity_will_do) {
  for (const std::size_t capacity : {0u, 1u, 3u, 5u, 1000u}) {
    deque queue{{.capacity = capacity}};
    push_all(queue, 0, 1500);
    EXPECT_EQ(stolen(queue).size(), 1500u) << "capacity " << capacity;
  }
}

TEST(deque, indices_work_at_both_ends_of_their_type_and_where_a_shorter_one_ends) {
  using limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t first_index :
       {limits::min() + 1, std::int64_t{-5}, (std::int64_t{1} << 31) - 3, limits::max() - 20}) {
    deque queue{{.capacity = 2, .first_index = first_index}};
    EXPECT_EQ(queue.pop(), std::nullopt);
    push_all(queue, 0, 10);
    EXPECT_EQ(queue.steal().item, 0);
    EXPECT_EQ(queue.size_hint(), 9u);
    push_all(queue, 10, 20);
    EXPECT_EQ(queue.pop(), 19);
    ints rest(18);
    std::iota(rest.begin(), rest.end(), 1);
    EXPECT_EQ(stolen(queue), rest) << "first index " << first_index;
  }
}

TEST(deque, a_thief_of_half_takes_the_older_half_in_order) {
  deque victim;
  deque thief{{.capacity = 1}};
  push_all(victim, 0, 7);
  const auto batch_steal_result = victim.steal_half_into(thief);
  EXPECT_EQ(batch_steal_result.outcome, steal_outcome::got_job);
  EXPECT_EQ(batch_steal_result.moved_count, 4u);
  EXPECT_EQ(stolen(thief), (ints{0, 1, 2, 3}));
  EXPECT_EQ(stolen(victim), (ints{4, 5, 6}));
}

TEST(deque, a_thief_of_half_takes_a_single_item_and_reports_emptiness) {
  deque victim;
  deque thief;
  victim.push(1);
  EXPECT_EQ(victim.steal_half_into(thief).moved_count, 1u);
  const auto batch_steal_result = victim.steal_half_into(thief);
  EXPECT_EQ(batch_steal_result.outcome, steal_outcome::was_empty);
  EXPECT_EQ(batch_steal_result.moved_count, 0u);
}

TEST(deque, a_push_that_finds_no_memory_changes_nothing) {
  scarce_deque queue{{.capacity = 4}};
  push_all(queue, 0, 4);
  scarce_sync::out_of_memory = true;
  EXPECT_THROW(queue.push(4), std::bad_alloc);
  scarce_sync::out_of_memory = false;
  queue.push(4);
  EXPECT_EQ(stolen(queue), (ints{0, 1, 2, 3, 4}));
}

TEST(deque, a_thief_of_half_that_finds_no_memory_takes_nothing) {
  scarce_deque victim;
  scarce_deque thief{{.capacity = 1}};
  push_all(victim, 0, 8);
  scarce_sync::out_of_memory = true;
  EXPECT_THROW(static_cast<void>(victim.steal_half_into(thief)), std::bad_alloc);
  scarce_sync::out_of_memory = false;
  EXPECT_EQ(thief.size_hint(), 0u);
  EXPECT_EQ(victim.size_hint(), 8u);
}

TEST(deque, any_word_can_be_an_item) {
  enum class color : unsigned char { red, green };
  filch::queue::deque<color> colors;
  colors.push(color::green);
  EXPECT_EQ(colors.pop(), color::green);

  int answer = 42;
  filch::queue::deque<int*> pointers;
  pointers.push(&answer);
  EXPECT_EQ(pointers.steal().item, &answer);
}

}  // namespace
