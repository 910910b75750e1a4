// The values in a channel: their order, their room, and what happens without memory.
#include <filch/co/sync/buffer.hpp>
#include <filch/co/sync/ring.hpp>

#include <gtest/gtest.h>

#include <new>
#include <optional>

namespace filch::inline v0_2::co::sync {
namespace {

using buffer = basic_buffer<base::real_sync, ring<int>>;

void fill(buffer& values, int from, int to) {
  for (int value = from; value <= to; ++value) {
    ASSERT_TRUE(values.has_room()) << value;
    values.push(int{value});
  }
}
template <class Buffer>
int popped(Buffer& values) {
  std::optional<int> found;
  return values.pop(found) ? found.value() : 0;
}
int taken(buffer& values) {
  std::optional<int> found;
  return values.take_from_stock(found) ? found.value() : 0;
}

TEST(buffer, gives_the_stock_before_the_queue) {
  buffer values{8};
  fill(values, 1, 3);
  EXPECT_EQ(values.in_stock(), 0u);
  values.take_along(false);
  EXPECT_TRUE(values.in_stock() > 0 && values.is_queue_empty());
  fill(values, 4, 5);
  values.take_along(false);  // the stock is not empty, and stays
  EXPECT_EQ(taken(values), 1);
  for (int value = 2; value <= 5; ++value) EXPECT_EQ(popped(values), value);
  EXPECT_EQ(popped(values), 0);
}

TEST(buffer, has_another_stock_when_one_is_empty) {
  buffer values{8};
  for (int round = 0; round < 3; ++round) {
    fill(values, 1, 2);
    values.take_along(false);
    EXPECT_EQ(taken(values), 1);
    EXPECT_GT(values.in_stock(), 0u);
    EXPECT_EQ(taken(values), 2);
    EXPECT_EQ(values.in_stock(), 0u);
    EXPECT_EQ(taken(values), 0);
  }
}

TEST(buffer, counts_the_stock_as_well) {
  buffer values{4};
  fill(values, 1, 3);
  values.take_along(false);
  fill(values, 4, 4);
  EXPECT_EQ(taken(values), 1);
  EXPECT_TRUE(values.may_have_room());
  fill(values, 5, 5);
  EXPECT_FALSE(values.has_room());
  EXPECT_EQ(taken(values), 0) << "somebody has asked for room";
  EXPECT_EQ(popped(values), 2);
  EXPECT_EQ(taken(values), 3) << "and is to ask once more";
  fill(values, 6, 7);
  EXPECT_FALSE(values.has_room());
}

TEST(buffer, is_taken_along_with_the_sender_that_awaits_room) {
  buffer values{3};
  fill(values, 1, 3);
  values.take_along(true);
  EXPECT_EQ(taken(values), 0);
  EXPECT_EQ(popped(values), 1);
  EXPECT_EQ(taken(values), 2);
}

TEST(buffer, of_full_size_takes_what_there_is_room_for) {
  buffer values{20};
  fill(values, 1, 12);
  values.grow_to_full_size();
  values.take_along(false);
  for (int value = 13; values.has_room(); ++value) values.push(int{value});
  for (int value = 1; value <= 20; ++value) EXPECT_EQ(popped(values), value);
}

/// A ring that gets memory for no more than eight values.
struct short_ring : ring<int> {
  void reserve(std::size_t) { throw std::bad_alloc(); }
};

TEST(buffer, takes_nothing_along_where_memory_is_refused) {
  basic_buffer<base::real_sync, short_ring> values{8};
  for (int value = 1; value <= 8; ++value) values.push(int{value});
  values.take_along(false);
  EXPECT_EQ(values.in_stock(), 0u);
  for (int value = 1; value <= 8; ++value) EXPECT_EQ(popped(values), value);
}

}  // namespace
}  // namespace filch::co::sync
