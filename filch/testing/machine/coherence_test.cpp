// What accesses cost, word by word: the rules of the caches that `testing::scale` charges by.
#include <filch/testing/machine/coherence.hpp>

#include <gtest/gtest.h>

namespace {

using filch::base::effect;
using filch::testing::coherence;
using filch::testing::line;
using filch::testing::machine;
using filch::testing::picoseconds;
using filch::testing::to_picoseconds;

/// Two nodes of two caches of two cores, with a price of its own for each distance.
machine of_eight() {
  machine made;
  made.nodes = made.caches_per_node = made.cores_per_cache = 2;
  made.modify = 5;
  made.same_cache = 10;
  made.same_node = 30;
  made.other_node = 100;
  made.memory = 60;
  made.bytes_per_ns = 64;
  return made;
}

struct caches {
  coherence all{of_eight()};
  alignas(filch::testing::line_bytes) char word = 0;

  /// How long the core waits.
  picoseconds access(unsigned core, effect does, picoseconds now) {
    return all.access(all.at(&word), core, does, now) - now;
  }
};

TEST(coherence, fetches_from_memory_first_and_hits_then) {
  caches of;
  EXPECT_EQ(of.access(0, effect::reads, 0), to_picoseconds(60));
  EXPECT_EQ(of.access(0, effect::reads, 100'000), 0u);
}

TEST(coherence, charges_by_the_distance_of_the_core_that_has_the_line) {
  caches of;
  of.access(0, effect::writes, 0);
  EXPECT_EQ(of.access(1, effect::reads, 1'000'000), to_picoseconds(10)) << "same cache";
  caches other_cache;
  other_cache.access(0, effect::writes, 0);
  EXPECT_EQ(other_cache.access(2, effect::reads, 1'000'000), to_picoseconds(30)) << "same node";
  caches other_node;
  other_node.access(0, effect::writes, 0);
  EXPECT_EQ(other_node.access(4, effect::reads, 1'000'000), to_picoseconds(100)) << "other node";
}

TEST(coherence, reads_from_the_nearest_core_and_invalidates_up_to_the_farthest) {
  caches of;
  of.access(0, effect::writes, 0);
  of.access(4, effect::reads, 1'000'000);
  EXPECT_EQ(of.access(5, effect::reads, 2'000'000), to_picoseconds(10));
  EXPECT_EQ(of.access(0, effect::modifies, 3'000'000), to_picoseconds(5 + 0.55 * 100))
      << "it has the data already";
  EXPECT_EQ(of.access(4, effect::reads, 4'000'000), to_picoseconds(100)) << "it lost the line";
}

TEST(coherence, makes_cores_queue_up_that_modify_one_line) {
  caches of;
  of.access(0, effect::modifies, 0);
  constexpr picoseconds now = 1'000'000;
  EXPECT_EQ(of.access(1, effect::modifies, now), to_picoseconds(5 + 10));
  // Core 1 has it for a moment, before it goes to another cache
  EXPECT_EQ(of.access(2, effect::modifies, now), to_picoseconds(5 + 10 + 0.22 * 30 + 0.6 * 30));
}

TEST(coherence, lets_an_owner_go_on_while_the_request_travels) {
  caches of;
  of.access(0, effect::modifies, 0);
  constexpr picoseconds now = 1'000'000;
  of.access(4, effect::modifies, now);  // its request travels for 40 ns
  EXPECT_EQ(of.access(0, effect::modifies, now + 30'000), to_picoseconds(5));
  EXPECT_GT(of.access(0, effect::modifies, now + 50'000), to_picoseconds(100));
}

TEST(coherence, lets_a_store_wait_in_its_buffer_and_the_next_locked_instruction_for_it) {
  caches of;
  of.access(1, effect::writes, 0);
  constexpr picoseconds now = 1'000'000;
  EXPECT_EQ(of.access(0, effect::writes, now), 0u);
  EXPECT_EQ(of.access(0, effect::modifies, now), to_picoseconds(10 + 5));
}

TEST(coherence, fetches_several_lines_of_a_walk_at_a_time) {
  machine slow = of_eight();
  slow.lines_at_once = 4;
  coherence all{slow};
  alignas(filch::testing::line_bytes) char word = 0;
  EXPECT_EQ(all.walk(all.at(&word), 0, effect::reads, 0), to_picoseconds(60.0 / 4));
}

TEST(coherence, makes_lines_queue_up_that_one_memory_delivers) {
  machine slow = of_eight();
  slow.bytes_per_ns = 1;
  coherence all{slow};
  alignas(filch::testing::line_bytes) char first = 0, second = 0, third = 0;
  EXPECT_EQ(all.access(all.at(&first), 0, effect::reads, 0), to_picoseconds(60));
  EXPECT_EQ(all.access(all.at(&second), 2, effect::reads, 0), to_picoseconds(64 + 60));
  EXPECT_EQ(all.access(all.at(&third), 4, effect::reads, 0), to_picoseconds(60)) << "other node";
}

TEST(coherence, has_the_line_that_cores_waited_for_longest_first) {
  caches of;
  alignas(filch::testing::line_bytes) char other = 0;
  coherence::note_wait(of.all.at(&other), {"f", "a.cpp", 1}, "load", 10);
  coherence::note_wait(of.all.at(&of.word), {"g", "a.cpp", 2}, "load", 20);
  coherence::note_wait(of.all.at(&of.word), {"g", "a.cpp", 2}, "load", 5);
  const auto hottest = of.all.hottest(5);
  ASSERT_EQ(hottest.size(), 2u);
  EXPECT_EQ(hottest[0].second->waited, 25u);
  ASSERT_EQ(hottest[0].second->waits.size(), 1u);
  EXPECT_EQ(hottest[0].second->waits[0].count, 2u);
  EXPECT_EQ(of.all.hottest(1).size(), 1u);
  of.all.forget_waits();
  EXPECT_TRUE(of.all.hottest(5).empty());
}

}  // namespace
