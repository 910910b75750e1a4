#include <filch/base/membarrier.hpp>
#include <filch/queue/fork_stack.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <numeric>
#include <vector>

namespace {

using filch::queue::fork_entry;
using filch::queue::fork_stack;
using filch::queue::job;
using filch::queue::pop_outcome;
using filch::queue::public_range;
using filch::queue::request;

using ints = std::vector<int>;

enum class pops { private_first, always_settling };

/// A fork stack with its entries, and the numbers that identify its jobs.
class forks_under_test : public fork_stack {
 public:
  explicit forks_under_test(std::size_t capacity = 16, pops how = pops::private_first)
      : entries_{std::make_unique<fork_entry[]>(capacity)}, numbers_(capacity) {
    std::iota(numbers_.begin(), numbers_.end(), 0);
    adopt(entries_.get(), capacity,
          how == pops::always_settling || !filch::base::has_asymmetric_fence());
  }

  void fork(int number) { push(bottom(), {nullptr, &numbers_[static_cast<std::size_t>(number)]}); }
  void fork(int first, int last) {
    for (int i = first; i < last; ++i) fork(i);
  }
  int number_of(const fork_entry* entry) const {
    return entry == nullptr ? -1 : *static_cast<int*>(entry->environment.read());
  }
  ints stolen() {
    ints numbers;
    while (const fork_entry* const taken = steal()) numbers.push_back(number_of(taken));
    return numbers;
  }
  bool pop_quickly() { return pop_private(bottom() - 1); }
  pop_outcome pop_slowly() {
    fork_entry* const at = bottom() - 1;
    return pop_private(at) || is_private(at) ? pop_outcome::popped : settle(at);
  }
  fork_entry* entry(std::size_t index) { return entries_.get() + index; }

 private:
  std::unique_ptr<fork_entry[]> entries_;
  ints numbers_;
};

/// What a thief does when the job has run.
void complete(fork_entry* stolen) { stolen->let_go(); }

TEST(fork_stack, private_jobs_are_invisible_to_thieves) {
  forks_under_test forks;
  forks.fork(0, 4);
  EXPECT_TRUE(forks.peek().is_empty());
  EXPECT_EQ(forks.stolen(), ints{});
  EXPECT_TRUE(forks.has_private());
}

TEST(fork_stack, private_jobs_are_popped_without_settling) {
  if (!filch::base::has_asymmetric_fence()) return;
  forks_under_test forks;
  forks.fork(0, 4);
  for (int left = 4; left > 0; --left) EXPECT_TRUE(forks.pop_quickly()) << left;
  EXPECT_EQ(forks.bottom(), forks.entry(0));
  EXPECT_FALSE(forks.has_private());
}

TEST(fork_stack, exposing_answers_with_the_older_half) {
  forks_under_test forks;
  forks.fork(0, 7);
  EXPECT_EQ(forks.expose(), 4u);
  EXPECT_EQ(forks.peek().size(), 4u);
  EXPECT_EQ(forks.stolen(), (ints{0, 1, 2, 3}));
}

TEST(fork_stack, exposing_a_single_job_exposes_it) {
  forks_under_test forks;
  forks.fork(0);
  EXPECT_EQ(forks.expose(), 1u);
  EXPECT_EQ(forks.stolen(), ints{0});
  EXPECT_FALSE(forks.has_private());
}

TEST(fork_stack, exposing_again_and_again_exposes_everything) {
  forks_under_test forks;
  forks.fork(0, 7);
  EXPECT_EQ(forks.expose(), 4u);
  EXPECT_EQ(forks.expose(), 2u);
  EXPECT_EQ(forks.expose(), 1u);
  EXPECT_EQ(forks.expose(), 0u);
  EXPECT_EQ(forks.stolen(), (ints{0, 1, 2, 3, 4, 5, 6}));
}

TEST(fork_stack, exposing_by_force_answers_with_the_older_half_too) {
  forks_under_test forks;
  forks.fork(0, 5);
  EXPECT_EQ(forks.expose_by_force(), 3u);
  EXPECT_EQ(forks.stolen(), (ints{0, 1, 2}));
  EXPECT_EQ(forks.expose_by_force(), 1u);
  EXPECT_EQ(forks.expose_by_force(), 1u);
  EXPECT_EQ(forks.expose_by_force(), 0u);
  EXPECT_EQ(forks.stolen(), (ints{3, 4}));
}

TEST(fork_stack, exposing_by_force_leaves_the_younger_half_private) {
  if (!filch::base::has_asymmetric_fence()) return;
  forks_under_test forks;
  forks.fork(0, 4);
  EXPECT_EQ(forks.expose_by_force(), 2u);
  EXPECT_TRUE(forks.pop_quickly());
  EXPECT_TRUE(forks.pop_quickly());
  EXPECT_FALSE(forks.pop_quickly()) << "the third may be stolen";
}

TEST(fork_stack, settling_takes_back_the_younger_half) {
  if (!filch::base::has_asymmetric_fence()) return;
  forks_under_test forks;
  forks.fork(0, 5);
  while (forks.expose() > 0) continue;
  EXPECT_EQ(forks.pop_slowly(), pop_outcome::popped);
  EXPECT_EQ(forks.peek().size(), 2u) << "of the four jobs below";
  EXPECT_TRUE(forks.pop_quickly()) << "3 is private again";
  EXPECT_TRUE(forks.pop_quickly()) << "2 is private again";
  EXPECT_FALSE(forks.pop_quickly()) << "1 is public still";
}

TEST(fork_stack, settling_the_last_public_job_leaves_nothing_public) {
  forks_under_test forks;
  forks.fork(0);
  EXPECT_EQ(forks.expose(), 1u);
  EXPECT_EQ(forks.pop_slowly(), pop_outcome::popped);
  EXPECT_TRUE(forks.peek().is_empty());
  EXPECT_EQ(forks.stolen(), ints{});
}

TEST(fork_stack, settling_says_which_jobs_were_stolen) {
  forks_under_test forks;
  forks.fork(0, 2);
  while (forks.expose() > 0) continue;
  EXPECT_EQ(forks.number_of(forks.steal()), 0);
  EXPECT_EQ(forks.pop_slowly(), pop_outcome::popped);
  EXPECT_EQ(forks.pop_slowly(), pop_outcome::stolen);
}

TEST(fork_stack, a_stolen_entry_stays_put_while_its_owner_forks_above_it) {
  forks_under_test forks;
  forks.fork(0);
  EXPECT_EQ(forks.expose(), 1u);
  const fork_entry* const taken = forks.steal();
  ASSERT_EQ(forks.pop_slowly(), pop_outcome::stolen);
  forks.occupy(forks.entry(0));
  forks.fork(1, 3);
  EXPECT_EQ(forks.number_of(taken), 0);
  EXPECT_EQ(forks.pop_slowly(), pop_outcome::popped);
  EXPECT_EQ(forks.expose(), 1u);
  EXPECT_EQ(forks.stolen(), ints{1});
}

TEST(fork_stack, a_released_entry_is_as_new) {
  forks_under_test forks;
  forks.fork(0);
  EXPECT_EQ(forks.expose(), 1u);
  fork_entry* const taken = forks.steal();
  taken->thief.store(&forks, std::memory_order_relaxed);
  complete(taken);
  ASSERT_EQ(forks.pop_slowly(), pop_outcome::stolen);
  EXPECT_TRUE(taken->is_done());
  forks.release(taken);
  EXPECT_FALSE(taken->is_done());
  EXPECT_EQ(taken->thief.load(std::memory_order_relaxed), nullptr);
  forks.fork(1);
  EXPECT_EQ(forks.stolen(), ints{}) << "the new job is private";
  EXPECT_EQ(forks.expose(), 1u);
  EXPECT_EQ(forks.stolen(), ints{1});
}

TEST(fork_stack, a_released_entry_is_private_again) {
  if (!filch::base::has_asymmetric_fence()) return;
  forks_under_test forks;
  forks.fork(0);
  EXPECT_EQ(forks.expose(), 1u);
  complete(forks.steal());
  ASSERT_EQ(forks.pop_slowly(), pop_outcome::stolen);
  forks.release(forks.entry(0));
  forks.fork(1);
  EXPECT_TRUE(forks.pop_quickly());
}

TEST(fork_stack, the_fork_that_finds_no_room_is_told) {
  forks_under_test forks{3};
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(forks.must_pause(forks.bottom())) << i;
    forks.fork(i);
  }
  EXPECT_TRUE(forks.must_pause(forks.bottom()));
  EXPECT_TRUE(forks.is_full(forks.bottom()));
  EXPECT_EQ(forks.pop_slowly(), pop_outcome::popped);
  EXPECT_FALSE(forks.must_pause(forks.bottom()));
}

TEST(fork_stack, a_stack_without_entries_is_full) {
  const fork_stack nowhere;
  EXPECT_TRUE(nowhere.must_pause(nowhere.bottom()));
  EXPECT_TRUE(nowhere.is_full(nowhere.bottom()));
}

TEST(fork_stack, a_request_pauses_forks_until_it_is_taken) {
  forks_under_test forks;
  EXPECT_TRUE(forks.request_work());
  EXPECT_FALSE(forks.request_work()) << "it stands already";
  EXPECT_EQ(forks.asked(), request::placed);
  EXPECT_TRUE(forks.must_pause(forks.bottom()));
  EXPECT_EQ(forks.take_request(), request::placed);
  EXPECT_FALSE(forks.must_pause(forks.bottom()));
  EXPECT_EQ(forks.asked(), request::none);
  EXPECT_EQ(forks.take_request(), request::none) << "there was one";
  EXPECT_TRUE(forks.request_work()) << "and may be another";
}

TEST(fork_stack, a_request_taken_back_pauses_one_fork_at_most) {
  forks_under_test forks;
  EXPECT_TRUE(forks.request_work());
  forks.cancel_request();
  EXPECT_EQ(forks.asked(), request::none);
  if (forks.must_pause(forks.bottom())) {
    EXPECT_EQ(forks.take_request(), request::none);
  }
  EXPECT_FALSE(forks.must_pause(forks.bottom()));
}

TEST(fork_stack, a_request_may_be_placed_again_after_it_was_taken_back) {
  forks_under_test forks;
  EXPECT_TRUE(forks.request_work());
  forks.cancel_request();
  EXPECT_TRUE(forks.request_work());
  EXPECT_TRUE(forks.must_pause(forks.bottom()));
  EXPECT_EQ(forks.take_request(), request::placed);
}

TEST(fork_stack, a_guess_pauses_a_fork_and_gives_way_to_a_request) {
  forks_under_test forks;
  forks.request_eagerly();
  EXPECT_TRUE(forks.must_pause(forks.bottom()));
  EXPECT_EQ(forks.take_request(), request::guessed);
  EXPECT_FALSE(forks.must_pause(forks.bottom()));
  forks.request_eagerly();
  forks.request_work();
  forks.request_eagerly();
  EXPECT_EQ(forks.take_request(), request::placed);
}

TEST(fork_stack, a_full_stack_stays_full_when_asked) {
  forks_under_test forks{1};
  forks.fork(0);
  EXPECT_TRUE(forks.request_work());
  EXPECT_EQ(forks.take_request(), request::placed);
  EXPECT_TRUE(forks.must_pause(forks.bottom()));
}

TEST(fork_stack, private_pops_pause_until_they_are_resumed) {
  if (!filch::base::has_asymmetric_fence()) GTEST_SKIP() << "every pop settles here";
  forks_under_test forks;
  forks.fork(0, 4);
  forks.pause_pops();
  EXPECT_FALSE(forks.pop_quickly());
  EXPECT_TRUE(forks.is_private(forks.bottom()));
  EXPECT_EQ(forks.expose(), 2u);
  EXPECT_FALSE(forks.pop_quickly());
  EXPECT_TRUE(forks.is_private(forks.bottom()));
  EXPECT_FALSE(forks.is_private(forks.entry(1))) << "it is public";
  forks.fork(4);
  forks.resume_pops();
  EXPECT_TRUE(forks.pop_quickly());
}

TEST(fork_stack, pops_pause_below_an_entry_and_others_pass) {
  if (!filch::base::has_asymmetric_fence()) GTEST_SKIP() << "every pop settles here";
  forks_under_test forks;
  forks.fork(0, 4);
  forks.pause_pops_below(forks.entry(2));
  EXPECT_TRUE(forks.pop_quickly());
  EXPECT_TRUE(forks.pop_quickly());
  EXPECT_FALSE(forks.pop_quickly());
  EXPECT_TRUE(forks.is_private(forks.bottom()));
}

TEST(fork_stack, an_owner_that_always_settles_never_pops_at_once) {
  forks_under_test forks{16, pops::always_settling};
  forks.fork(0, 4);
  EXPECT_FALSE(forks.pop_quickly());
  EXPECT_EQ(forks.settle(forks.bottom()), pop_outcome::popped);
  EXPECT_EQ(forks.expose(), 2u);
  EXPECT_FALSE(forks.pop_quickly());
  EXPECT_EQ(forks.settle(forks.bottom()), pop_outcome::popped);
}

TEST(fork_stack, an_owner_that_always_settles_can_be_exposed_by_force) {
  forks_under_test forks{16, pops::always_settling};
  forks.fork(0, 3);
  EXPECT_EQ(forks.expose_by_force(), 2u);
  EXPECT_EQ(forks.stolen(), (ints{0, 1}));
  EXPECT_EQ(forks.pop_slowly(), pop_outcome::popped);
  EXPECT_EQ(forks.pop_slowly(), pop_outcome::stolen);
}

TEST(fork_stack, a_public_range_survives_its_packing) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  for (const public_range range :
       {public_range{0, 0}, {0, most}, {most, most}, {most - 1, most}, {7, 3}}) {
    const public_range unpacked = public_range::unpack(range.pack());
    EXPECT_EQ(unpacked.top, range.top);
    EXPECT_EQ(unpacked.split, range.split);
    EXPECT_EQ(unpacked.is_empty(), range.top >= range.split);
    EXPECT_EQ(unpacked.size(), range.top >= range.split ? 0 : range.split - range.top);
  }
}

}  // namespace
