#include <filch/base/rng.hpp>
#include <filch/queue/deque.hpp>
#include <filch/sim/chase_lev/scenes.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace filch::sim::chase_lev;

constexpr call pop{operation::pop}, steal{operation::steal};
constexpr call push(int item) { return {operation::push, item}; }

/// Duels of up to two calls each over up to two items, with late stores.
template <class Check>
void for_many_duels(rules how, Check check) {
  const std::vector<std::vector<call>> owners = {
      {pop}, {push(3)}, {pop, pop}, {push(3), pop}, {pop, push(3)}};
  const std::vector<std::vector<call>> thieves = {{steal}, {steal, steal}};
  const std::vector<std::vector<int>> contents = {{}, {1}, {1, 2}};
  for (const auto& mine : owners) {
    for (const auto& theirs : thieves) {
      for (const auto& items : contents) {
        check(duel{.how = how,
                   .first_index = 4,
                   .items = items,
                   .leftovers = {26, 25, 24, 23},
                   .calls = {{mine, theirs}},
                   .stores_are_late = true});
      }
    }
  }
}

std::size_t fault_count(rules how) {
  std::size_t count = 0;
  for_many_duels(how, [&](const duel& each) { count += explore(each).fault_count; });
  return count;
}

TEST(chase_lev, the_whole_algorithm_has_no_fault_in_any_order) { EXPECT_EQ(fault_count({}), 0u); }

TEST(chase_lev, each_part_of_the_algorithm_is_needed) {
  EXPECT_GT(fault_count({.last_item_is_claimed = false}), 0u);
  EXPECT_GT(fault_count({.push_releases = false}), 0u);
  EXPECT_GT(fault_count({.pop_is_ordered = false}), 0u);
  EXPECT_GT(fault_count({.steal_acquires = false}), 0u);
}

TEST(chase_lev, no_item_is_lost_either) {
  for_many_duels({}, [](const duel& each) {
    const auto lost = shortest_way(each, [&](const moment& end) {
      const auto left = end.words[bottom] - end.words[top];
      auto taken = std::ptrdiff_t{0};
      for (const progress& one : end.threads)
        taken += std::ranges::count_if(one.results, [](int result) { return result > 0; });
      const auto pushed = std::ranges::count(each.calls[owner], operation::push, &call::what);
      return taken + left != static_cast<std::ptrdiff_t>(each.items.size()) + pushed;
    });
    ASSERT_TRUE(lost.empty());
  });
}

/// Runs the calls of one thread alone and returns what they brought.
std::vector<int> results_alone(const std::vector<call>& calls) {
  duel alone{.how = {}, .first_index = 0, .items = {}, .leftovers = {}, .calls = {{calls, {}}}};
  moment now = alone.beginning();
  while (!alone.is_over(now)) alone.let_happen(now, alone.possible_after(now).front());
  return now.threads[owner].results;
}

TEST(chase_lev, the_lines_do_what_the_shipped_deque_does) {
  filch::base::split_mix64 random{3};
  for (int round = 0; round < 200; ++round) {
    filch::queue::deque<int> shipped{{.capacity = ring_size}};
    std::vector<call> calls;
    std::vector<int> expected;
    int size = 0;
    for (int item = 1; item <= 20; ++item) {
      const auto what = static_cast<operation>(filch::base::below(random(), 3));
      // The model has one ring and does not grow
      if (what == operation::push && size == ring_size) continue;
      calls.push_back({what, item});
      if (what == operation::push) {
        shipped.push(item);
        ++size;
      } else if (what == operation::pop) {
        expected.push_back(shipped.pop().value_or(was_empty));
      } else {
        const auto loot = shipped.steal();
        expected.push_back(loot ? loot.item : static_cast<int>(was_empty));
      }
      if (what != operation::push && expected.back() > 0) --size;
    }
    ASSERT_EQ(results_alone(calls), expected) << "round " << round;
  }
}

TEST(store_buffer, lets_stores_pass_each_other_but_not_releases_nor_the_same_word) {
  store_buffer stores;
  stores.add({top, 1, false});
  stores.add({bottom, 2, false});
  stores.add({top, 3, false});
  stores.add({slot_at(0), 4, true});
  EXPECT_TRUE(stores.may_leave(0));
  EXPECT_TRUE(stores.may_leave(1));
  EXPECT_FALSE(stores.may_leave(2)) << "the same word";
  EXPECT_FALSE(stores.may_leave(3)) << "a release waits for all before it";
  EXPECT_EQ(*stores.find(top), 3) << "a thread sees its own youngest store";
  EXPECT_EQ(stores.find(slot_at(1)), nullptr);
}

TEST(scenes, show_a_fault_where_something_was_left_out_and_nowhere_else) {
  for (const scene& each : scenes()) {
    const rules& how = each.rules_and_calls.how;
    const bool is_whole =
        how.last_item_is_claimed && how.push_releases && how.pop_is_ordered && how.steal_acquires;
    EXPECT_EQ(each.fault.empty(), is_whole) << each.title;
    EXPECT_EQ(each.everything.fault_count == 0, is_whole) << each.title;
    EXPECT_EQ(each.with_all_rules.fault_count, 0u) << each.title;
    EXPECT_GT(each.with_all_rules.end_count, 1u) << each.title;
  }
}

TEST(scenes, sentences_name_the_thread_and_frames_follow_from_each_other) {
  for (const scene& each : scenes()) {
    moment now = each.rules_and_calls.beginning();
    for (const frame& shown : each.frames) {
      EXPECT_TRUE(shown.sentence.starts_with(name_of(shown.what.who))) << shown.sentence;
      EXPECT_EQ(each.rules_and_calls.let_happen(now, shown.what), shown.sentence);
      EXPECT_EQ(now, shown.after);
    }
    EXPECT_TRUE(each.rules_and_calls.is_over(now));
  }
}

TEST(scenes, an_early_load_is_shown_at_its_line_and_does_not_read_again) {
  const auto all = scenes();
  const auto shown = std::ranges::find(all, "no_acquire", &scene::id);
  ASSERT_NE(shown, all.end());
  EXPECT_EQ(shown->fault, "W was taken, although it had left the deque before");
  const auto is_early = [](const frame& each) { return each.what.is_early_load; };
  ASSERT_EQ(std::ranges::count_if(shown->frames, is_early), 1);
  const frame& early = *std::ranges::find_if(shown->frames, is_early);
  EXPECT_EQ(early.sentence, "The thief reads slot 0: W, ahead of its turn.");
  const std::string_view text =
      listing_of(operation::steal, shown->rules_and_calls.how)[early.line_index].text;
  EXPECT_EQ(text, "item = slot[t]");
  const auto has_it = [](const frame& each) {
    return each.sentence == "The thief has read slot 0 already: W.";
  };
  EXPECT_EQ(std::ranges::count_if(shown->frames, has_it), 1)
      << "where its turn comes, after the push";
}

TEST(scenes, the_last_item_goes_to_exactly_one) {
  for (const scene& each : scenes()) {
    if (each.id != "owner_wins" && each.id != "thief_wins") continue;
    const auto& threads = each.frames.back().after.threads;
    EXPECT_EQ(threads[owner].results.front() > 0, each.id == "owner_wins");
    EXPECT_EQ(threads[thief].results.front() > 0, each.id == "thief_wins");
  }
}

}  // namespace
