// The fork stack under every interleaving up to a bound, and the witnesses of its edges. Thread 0
// is the owner.
#include <filch/queue/forced_exposure_model.hpp>

#include <array>

namespace {

using namespace filch::queue;
using filch::testing::breaks;
using filch::testing::holds;

template <int Thieves>
struct exposed_one_by_one : fork_scenario<checked_sync, Thieves> {
  void owner() override {
    this->fork_exposed();
    this->fork_exposed();
    this->join_all();
  }
};

/// With three public jobs an owner that resolves a pop takes back the younger two, while thieves
/// try to take the oldest.
template <int Thieves>
struct half_taken_back : fork_scenario<checked_sync, Thieves> {
  // A third preemption with two thieves takes long and found nothing
  static constexpr unsigned context_bound = 4 - Thieves;
  void owner() override {
    for (int i = 0; i < 3; ++i) this->fork_exposed();
    this->join_all();
  }
  void thief() override {
    this->rob();
    if (Thieves == 1) this->rob();
  }
};

/// The second job lies where the first one was, under the same indices: a thief that read the old
/// word may win it, and then reads all of it.
template <int Thieves>
struct entry_used_again : fork_scenario<checked_sync, Thieves> {
  void owner() override {
    this->fork_exposed();
    if (!this->join()) return;
    this->fork_exposed();
    this->join_all();
  }
  void thief() override {
    this->rob();
    if (Thieves == 1) this->rob();
  }
};

/// Two exposures by force, or one by force and one that the owner makes itself.
struct exposed_from_both_sides : fork_scenario<checked_sync, 1> {
  void owner() override {
    fork();
    fork_exposed();
    join_all();
  }
  void thief() override {
    force_and_rob();
    force_and_rob();
  }
};

/// A stalled join goes on above the stolen job's entry, as a helper does.
struct work_above_a_stolen_job : fork_scenario<checked_sync, 1> {
  void owner() override {
    fork_exposed();
    if (join()) return;
    fork();
    if (join()) join();
  }
  void thief() override {
    rob();
    force_and_rob();
  }
};

/// A helper exposes and takes while it holds the lock throughout.
struct robbed_under_the_expose_lock : fork_scenario<checked_sync, 2> {
  void owner() override {
    fork();
    fork();
    join_all();
  }
  void thief() override {
    if (!forks.exposing().try_lock()) return;
    forks.force_locked();
    entry* const taken = forks.steal();
    forks.exposing().unlock();
    run_stolen(taken);
  }
};

struct sleeping_join : fork_scenario<checked_sync, 1> {
  void owner() override {
    fork_exposed();
    if (!join()) leave_handle(entries.data());
  }
};

/// Either the request stands and the next fork will notice it, or it was answered with a job.
struct request_under_a_forking_owner : fork_scenario<checked_sync, 2> {
  void owner() override {
    fork();
    fork();
    join_all();
  }
  void thief() override {
    forks.request_work();
    rob();
  }
  void after() override {
    model_assert(forks.asked() != request::none || exposed_count > 0,
                 "a request is answered or stands");
    fork_scenario::after();
  }
};

struct request_taken_back : fork_scenario<checked_sync, 2> {
  void owner() override {
    fork();
    join_all();
    fork();
    join_all();
  }
  void thief() override {
    forks.request_work();
    forks.cancel_request();
    forks.request_work();
  }
};

/// An owner that guesses while thieves ask: their request is answered as a placed one, or stands
/// and will be noticed.
struct request_beside_a_guess : fork_scenario<checked_sync, 2> {
  bool answered_as_asked = false;
  void owner() override {
    forks.request_eagerly();
    if (forks.must_pause(forks.bottom()))
      answered_as_asked = forks.take_request() == request::placed;
  }
  void thief() override { forks.request_work(); }
  void after() override {
    model_assert(forks.asked() == request::placed || answered_as_asked, "a guess hides no request");
    fork_scenario::after();
  }
};

/// Pops begin or cease to pause while a thief exposes by force.
template <pops Before>
struct pauses_under_a_popping_owner : fork_scenario<checked_membarrier_sync, 2, Before> {
  void owner() override {
    this->fork();
    this->fork();
    this->join_all();
  }
  void thread(unsigned index) override {
    if (index == 0) return owner();
    if (index == 1) return this->force_and_rob();
    Before == pops::paused ? this->forks.resume_pops() : this->forks.pause_pops();
  }
};

/// A thread that makes all pops pause meets a stack that is just being adopted.
struct pauses_under_an_adopting_owner : scenario<2> {
  basic_fork_stack<checked_sync> forks;
  std::array<basic_fork_entry<checked_sync>, 1> entries;

  void thread(unsigned index) override {
    index == 0 ? forks.adopt(entries.data(), entries.size(), false) : forks.pause_pops();
  }
  void after() override {
    model_assert(!forks.pop_private(entries.data()),
                 "an owner whose pops pause never pops at once");
  }
};

/// Jobs without a join: a thief lets go of the entry before it runs the job, and the owner frees
/// all entries at once.
template <int Thieves>
struct let_go_before_it_runs : fork_scenario<checked_sync, Thieves> {
  using stack = basic_fork_stack<checked_sync>;

  void owner() override {
    this->fork_exposed();
    this->fork_exposed();
    if (take_back_all()) this->fork_exposed();
  }
  void thief() override {
    auto* const taken = this->forks.steal();
    if (taken == nullptr) return;
    void (*const run)(void*) = taken->run.read();
    void* const environment = taken->environment.read();
    taken->let_go();
    run(environment);
  }
  /// False: a thief has not let go yet.
  bool take_back_all() {
    auto* const first = this->entries.data();
    while (this->forks.bottom() != first) {
      auto* const at = this->forks.bottom() - 1;
      if (this->forks.pop_private(at) || this->forks.is_private(at) ||
          this->forks.settle(at) == pop_outcome::popped) {
        at->run.read()(at->environment.read());
        --this->depth;
        continue;
      }
      if (!this->forks.are_let_go(first, at)) {
        this->forks.occupy(at);
        return false;
      }
      this->forks.release_all(first, at);
      this->depth = 0;
    }
    return true;
  }
  void after() override {
    model_assert(take_back_all(), "each thief has let go of its job by now");
    for (std::size_t i = 0; i < this->closure_count; ++i) this->closures[i].expect_run_once();
    model_assert(this->forks.peek().is_empty(), "nothing is left behind");
  }
};

}  // namespace

TEST(fork_stack_model, exposed_jobs_run_once_with_a_thief) {
  EXPECT_TRUE(holds<exposed_one_by_one<1>>());
}
TEST(fork_stack_model, exposed_jobs_run_once_with_two_thieves) {
  EXPECT_TRUE(holds<exposed_one_by_one<2>>());
}
TEST(fork_stack_model, an_owner_that_takes_back_half_shares_with_a_thief) {
  EXPECT_TRUE(holds<half_taken_back<1>>());
}
TEST(fork_stack_model, an_owner_that_takes_back_half_shares_with_two_thieves) {
  EXPECT_TRUE(holds<half_taken_back<2>>());
}
TEST(fork_stack_model, an_entry_may_be_used_again_once_its_join_is_over) {
  EXPECT_TRUE(holds<entry_used_again<1>>());
}
TEST(fork_stack_model, an_entry_used_again_is_stolen_whole_by_one_of_two_thieves) {
  EXPECT_TRUE(holds<entry_used_again<2>>());
}
TEST(fork_stack_model, exposing_by_force_races_with_pops) {
  EXPECT_TRUE(holds<popping_by_fences<1>>());
}
TEST(fork_stack_model, exposing_by_force_by_two_races_with_pops) {
  EXPECT_TRUE(holds<popping_by_fences<2>>());
}
TEST(fork_stack_model, exposing_by_force_races_with_forks) {
  EXPECT_TRUE(holds<forking_by_fences<1>>());
}
TEST(fork_stack_model, exposing_by_force_by_two_races_with_forks) {
  EXPECT_TRUE(holds<forking_by_fences<2>>());
}
TEST(fork_stack_model, a_membarrier_is_fence_enough_for_pops) {
  EXPECT_TRUE(holds<popping_by_membarrier<1>>());
}
TEST(fork_stack_model, a_membarrier_is_fence_enough_for_pops_and_two_thieves) {
  EXPECT_TRUE(holds<popping_by_membarrier<2>>());
}
TEST(fork_stack_model, a_membarrier_is_fence_enough_for_forks) {
  EXPECT_TRUE(holds<forking_by_membarrier<1>>());
}
TEST(fork_stack_model, a_membarrier_is_fence_enough_for_forks_and_two_thieves) {
  EXPECT_TRUE(holds<forking_by_membarrier<2>>());
}
TEST(fork_stack_model, pops_that_pause_are_as_exclusive) {
  EXPECT_TRUE(holds<pausing_by_membarrier<1>>());
}
TEST(fork_stack_model, pops_that_pause_are_as_exclusive_with_two_thieves) {
  EXPECT_TRUE(holds<pausing_by_membarrier<2>>());
}
TEST(fork_stack_model, pops_that_pause_need_the_pair) {
  EXPECT_TRUE(breaks<pausing_without_pair<1>>());
}
TEST(fork_stack_model, pops_may_begin_to_pause_at_any_time) {
  EXPECT_TRUE(holds<pauses_under_a_popping_owner<pops::private_first>>());
}
TEST(fork_stack_model, pops_may_cease_to_pause_at_any_time) {
  EXPECT_TRUE(holds<pauses_under_a_popping_owner<pops::paused>>());
}
TEST(fork_stack_model, pops_may_begin_to_pause_while_the_stack_is_adopted) {
  EXPECT_TRUE(holds<pauses_under_an_adopting_owner>());
}
TEST(fork_stack_model, an_owner_that_always_settles_needs_no_fences) {
  EXPECT_TRUE(holds<settling_without_pair<1>>());
}
TEST(fork_stack_model, an_owner_that_always_settles_needs_no_fences_against_two) {
  EXPECT_TRUE(holds<settling_without_pair<2>>());
}
TEST(fork_stack_model, an_owner_that_forks_again_and_always_settles_needs_no_fences) {
  EXPECT_TRUE(holds<resettling_without_pair<1>>());
}
TEST(fork_stack_model, without_the_pair_a_popping_owner_and_a_thief_run_the_same_job) {
  EXPECT_TRUE(breaks<popping_without_pair<1>>());
}
TEST(fork_stack_model, without_the_pair_a_forking_owner_and_a_thief_run_the_same_job) {
  EXPECT_TRUE(breaks<forking_without_pair<1>>());
}
TEST(fork_stack_model, jobs_may_be_exposed_from_both_sides) {
  EXPECT_TRUE(holds<exposed_from_both_sides>());
}
TEST(fork_stack_model, a_stalled_join_may_fork_above_the_stolen_job) {
  EXPECT_TRUE(holds<work_above_a_stolen_job>());
}
TEST(fork_stack_model, helpers_may_expose_and_take_under_the_lock) {
  EXPECT_TRUE(holds<robbed_under_the_expose_lock>());
}
TEST(fork_stack_model, a_sleeping_join_is_seen_by_the_thief_that_completes_its_job) {
  EXPECT_TRUE(holds<sleeping_join>());
}
TEST(fork_stack_model, a_request_is_answered_or_stands) {
  EXPECT_TRUE(holds<request_under_a_forking_owner>());
}
TEST(fork_stack_model, a_guess_hides_no_request) { EXPECT_TRUE(holds<request_beside_a_guess>()); }
TEST(fork_stack_model, a_request_may_be_taken_back_and_placed_again) {
  EXPECT_TRUE(holds<request_taken_back>());
}

TEST(fork_stack_model, an_entry_may_be_used_again_once_its_thief_has_let_go) {
  EXPECT_TRUE(holds<let_go_before_it_runs<1>>());
}
TEST(fork_stack_model, entries_may_be_used_again_once_two_thieves_have_let_go) {
  EXPECT_TRUE(holds<let_go_before_it_runs<2>>());
}

WITNESS(fork_edge::expose, "a stolen job is seen filled", exposed_one_by_one<1>);
WITNESS(fork_edge::force_publish, "a job exposed by force is seen filled", popping_by_fences<1>);
WITNESS(fork_edge::force, "owner and thief never both run the youngest job", popping_by_fences<1>);
WITNESS(fork_edge::complete, "a join sees the result, and its thief sees the sleeper",
        exposed_one_by_one<1>, let_go_before_it_runs<1>);
WITNESS_BY_EXPLORER(
    fork_edge::request,
    "the next fork notices a request that stands; Relacy has no stores that land out of order",
    request_under_a_forking_owner, request_taken_back);
