// The deque under every interleaving up to a bound, and the witnesses of its edges. Thread 0 is the
// owner.
#include <filch/testing/model/witness.hpp>

#include <filch/queue/deque.hpp>

#include <array>
#include <limits>
#include <new>
#include <type_traits>

namespace {

using filch::queue::edge;
using filch::queue::steal_outcome;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::model_choice;
using filch::testing::scenario;

/// A job whose contents are plain: taking it twice, or unseen, is a data race or a wrong count.
struct job {
  checked_sync::plain<int> taken_count;
  void fill() { taken_count.write(0); }
  void take() { taken_count.write(taken_count.read() + 1); }
};

using deque = filch::queue::deque<job*, checked_sync>;

bool take(std::optional<job*> got) {
  if (got) (*got)->take();
  return got.has_value();
}

steal_outcome steal_from(deque& victim) {
  const auto loot = victim.steal();
  if (loot) loot.item->take();
  return loot.outcome;
}

/// An owner, its thieves and its jobs. In every scenario each pushed job must be taken exactly
/// once.
template <int Thieves>
struct deque_scenario : scenario<1 + Thieves> {
  explicit deque_scenario(filch::queue::deque_options options = {.capacity = 4}) : queue{options} {}

  deque queue;
  std::array<job, 4> jobs;
  std::size_t pushed_count = 0;

  virtual void owner() = 0;
  /// Two steals in all by one thief or by two; more thieves steal once each.
  virtual void thief() {
    for (int steals = Thieves == 1 ? 2 : 1; steals > 0; --steals)
      static_cast<void>(steal_from(queue));
  }
  void thread(unsigned index) final { index == 0 ? owner() : thief(); }

  void push() {
    job& next = jobs[pushed_count++];
    next.fill();
    queue.push(&next);
  }
  void push(int count) {
    while (count-- > 0) push();
  }
  bool pop() { return take(queue.pop()); }
  bool take_oldest() { return take(queue.take_oldest()); }

  void after() override {
    while (pop()) {
    }
    for (std::size_t i = 0; i < pushed_count; ++i) {
      model_assert(jobs[i].taken_count.read() == 1, "each job is taken exactly once");
    }
    model_assert(queue.size_hint() == 0, "an emptied deque knows that it is empty");
  }
};

template <int Thieves>
struct push_two_pop_two : deque_scenario<Thieves> {
  using deque_scenario<Thieves>::deque_scenario;
  void owner() override {
    this->push(2);
    this->pop();
    this->pop();
  }
};

/// An unsigned index would pass below zero here and make an empty deque look full.
template <int Thieves>
struct pop_before_any_push : deque_scenario<Thieves> {
  void owner() override {
    model_assert(!this->pop(), "an empty deque pops nothing");
    this->push(2);
    this->pop();
    this->pop();
  }
};

template <int Thieves>
struct duel_for_the_last_item : deque_scenario<Thieves> {
  static constexpr unsigned context_bound = Thieves < 3 ? 3 : 2;
  void owner() override {
    this->push();
    this->pop();
    this->push();  // lands out of reach if a lost duel left the bottom too low
  }
};

template <int Thieves>
struct growth_under_a_thief : deque_scenario<Thieves> {
  // A third preemption takes 11 s with two thieves and found nothing
  static constexpr unsigned context_bound = 4 - Thieves;
  growth_under_a_thief() : deque_scenario<Thieves>{{.capacity = 2}} {}
  void owner() override {
    this->push(4);
    this->pop();
  }
};

/// A push that finds no memory changes nothing, and later pushes find what was there.
struct growth_without_memory : deque_scenario<1> {
  static constexpr bool allocations_fail = true;
  growth_without_memory() : deque_scenario<1>{{.capacity = 1}} {}
  void owner() override {
    for (int i = 0; i < 3; ++i) {
      try {
        push();
      } catch (const std::bad_alloc&) {
        --pushed_count;
      }
    }
    pop();
  }
};

/// Without growth: the third and fourth push overwrite the slots of stolen items.
struct reused_slots : deque_scenario<1> {
  reused_slots() : deque_scenario<1>{{.capacity = 2}} {}
  void owner() override {
    push(2);
    take_oldest();
    push();
    take_oldest();
    push();
  }
};

template <int Thieves>
struct owner_takes_the_oldest : deque_scenario<Thieves> {
  void owner() override {
    this->push(2);
    this->take_oldest();
    this->pop();
    model_assert(!this->take_oldest(), "an owner that finds nothing has nothing");
  }
};

struct thief_of_half : deque_scenario<1> {
  deque loot{{.capacity = 1}};
  void owner() override {
    push(3);
    pop();
    pop();
  }
  void thief() override {
    static_cast<void>(queue.steal_half_into(loot));
    while (take(loot.pop())) {
    }
  }
};

struct thief_robbed_of_its_loot : deque_scenario<2> {
  static constexpr unsigned context_bound = 2;  // a third preemption takes 15 s and found nothing
  deque loot{{.capacity = 1}};
  checked_sync::atomic<int> next_thief{0};
  void owner() override { push(3); }
  void thief() override {
    if (next_thief.fetch_add(1, filch::base::relaxed) > 0)
      return static_cast<void>(steal_from(loot));
    static_cast<void>(queue.steal_half_into(loot));
    while (take(loot.take_oldest())) {
    }
  }
};

/// Two items, two thieves that go on while they lose a race: neither may be told "empty" before
/// both items are taken.
struct honest_outcomes : scenario<2> {
  deque queue{{.capacity = 2}};
  std::array<job, 2> jobs;
  honest_outcomes() {
    for (job& each : jobs) {
      each.fill();
      queue.push(&each);
    }
  }
  void thread(unsigned) override {
    steal_outcome outcome = steal_from(queue);
    if (outcome == steal_outcome::lost_race) outcome = steal_from(queue);
    model_assert(outcome == steal_outcome::got_job,
                 "empty means empty, and a race lost twice means two jobs won by others");
  }
};

/// Random programs on a deque that grows: the checker also chooses the calls of owner and thieves.
template <int Thieves, int OwnerCalls, int ThiefCalls>
struct chosen_programs : deque_scenario<Thieves> {
  static constexpr unsigned context_bound = 0;  // the choices alone make millions of executions
  static constexpr std::uint64_t random_execution_count = 500'000;
  chosen_programs() : deque_scenario<Thieves>{{.capacity = 1}} {}
  void owner() override {
    for (int calls = OwnerCalls; calls > 0; --calls) {
      switch (model_choice(this->pushed_count < this->jobs.size() ? 4 : 2)) {
        case 0: this->pop(); break;
        case 1: this->take_oldest(); break;
        default: this->push();
      }
    }
  }
  void thief() override {
    deque loot{{.capacity = 1}};
    for (int calls = ThiefCalls; calls > 0; --calls) {
      model_choice(2) == 0 ? static_cast<void>(steal_from(this->queue))
                           : static_cast<void>(this->queue.steal_half_into(loot));
    }
    while (take(loot.pop())) {
    }
  }
};

/// Relacy draws long ones at random; the explorer tries all short ones.
using any_program =
    std::conditional_t<filch::testing::present_checker == filch::testing::checker::relacy,
                       chosen_programs<2, 7, 2>, chosen_programs<1, 3, 2>>;

template <std::int64_t FirstIndex>
struct indices_from : push_two_pop_two<1> {
  indices_from() : push_two_pop_two<1>{{.capacity = 1, .first_index = FirstIndex}} {}
};

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST(deque_model, every_job_is_taken_once_by_an_owner_and_a_thief) {
  EXPECT_TRUE(holds<push_two_pop_two<1>>());
}
TEST(deque_model, every_job_is_taken_once_by_an_owner_and_two_thieves) {
  EXPECT_TRUE(holds<push_two_pop_two<2>>());
}
TEST(deque_model, popping_before_any_push_does_no_harm) {
  EXPECT_TRUE(holds<pop_before_any_push<1>>());
}
TEST(deque_model, popping_before_any_push_does_no_harm_with_two_thieves) {
  EXPECT_TRUE(holds<pop_before_any_push<2>>());
}
TEST(deque_model, the_last_item_goes_to_the_owner_or_the_thief) {
  EXPECT_TRUE(holds<duel_for_the_last_item<1>>());
}
TEST(deque_model, the_last_item_goes_to_the_owner_or_one_of_two_thieves) {
  EXPECT_TRUE(holds<duel_for_the_last_item<2>>());
}
TEST(deque_model, the_last_item_goes_to_the_owner_or_one_of_three_thieves) {
  EXPECT_TRUE(holds<duel_for_the_last_item<3>>());
}
TEST(deque_model, growing_under_a_thief_loses_nothing) {
  EXPECT_TRUE(holds<growth_under_a_thief<1>>());
}
TEST(deque_model, growing_under_two_thieves_loses_nothing) {
  EXPECT_TRUE(holds<growth_under_a_thief<2>>());
}
TEST(deque_model, growing_without_memory_loses_nothing) {
  EXPECT_TRUE(holds<growth_without_memory>());
}
TEST(deque_model, slots_are_reused_only_after_their_items_are_gone) {
  EXPECT_TRUE(holds<reused_slots>());
}
TEST(deque_model, an_owner_that_takes_the_oldest_shares_with_a_thief) {
  EXPECT_TRUE(holds<owner_takes_the_oldest<1>>());
}
TEST(deque_model, an_owner_that_takes_the_oldest_shares_with_two_thieves) {
  EXPECT_TRUE(holds<owner_takes_the_oldest<2>>());
}
TEST(deque_model, a_thief_of_half_overtakes_no_popping_owner) {
  EXPECT_TRUE(holds<thief_of_half>());
}
TEST(deque_model, loot_can_be_stolen_again) { EXPECT_TRUE(holds<thief_robbed_of_its_loot>()); }
TEST(deque_model, outcomes_tell_the_truth) { EXPECT_TRUE(holds<honest_outcomes>()); }
TEST(deque_model, any_program_takes_every_job_once) { EXPECT_TRUE(holds<any_program>()); }
TEST(deque_model, indices_may_start_at_the_smallest_value) {
  EXPECT_TRUE(holds<indices_from<smallest + 1>>());
}
TEST(deque_model, indices_may_cross_zero) { EXPECT_TRUE(holds<indices_from<-1>>()); }
TEST(deque_model, indices_may_end_at_the_largest_value) {
  EXPECT_TRUE(holds<indices_from<largest - 2>>());
}

WITNESS(edge::publish, "a stolen job is seen filled", push_two_pop_two<1>);
WITNESS(edge::last_item, "an owner on its way down and two steals never duplicate a job",
        push_two_pop_two<1>, push_two_pop_two<2>);
WITNESS_BY_RELACY(edge::claim,
                  "a second thief that sees the first one's top sees the owner's bottom; C++20 has "
                  "it without, C++11 not",
                  push_two_pop_two<2>);
WITNESS(edge::grow, "a thief in the larger array finds the copied slots", growth_under_a_thief<1>,
        growth_under_a_thief<2>);
NO_WITNESS(edge::reuse, "needs a load that returns a value stored later, which neither explores",
           reused_slots);
