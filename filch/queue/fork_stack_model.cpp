// The fork stack under every interleaving up to a bound, and the witnesses of its edges. Thread 0
// is the owner.
#include <filch/testing/model/witness.hpp>

#include <filch/queue/fork_stack.hpp>

#include <array>
#include <type_traits>

namespace filch::queue {

/// For the checker's histories.
inline std::ostream& operator<<(std::ostream& out, request asked) {
  return out << static_cast<std::uint32_t>(asked);
}

}  // namespace filch::queue

namespace {

using filch::queue::fork_edge;
using filch::queue::pop_outcome;
using filch::queue::request;
using filch::testing::breaks;
using filch::testing::checked_fenceless_sync;
using filch::testing::checked_membarrier_sync;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// What the owner filled in and the result, all plain: running it twice, too early or unseen is a
/// data race or a wrong number.
template <class Sync>
struct closure {
  typename Sync::template plain<int> argument;
  typename Sync::template plain<int> run_count;
  typename Sync::template plain<int> result;

  void fill(int value) {
    argument.write(value);
    run_count.write(0);
  }
  static void run(void* self) {
    auto& mine = *static_cast<closure*>(self);
    mine.run_count.write(mine.run_count.read() + 1);
    mine.result.write(2 * mine.argument.read());
  }
  void expect_run_once() const {
    model_assert(run_count.read() == 1, "each job runs exactly once");
    model_assert(result.read() == 2 * argument.read(), "a join sees the result");
  }
};

enum class pops { private_first, always_settling, paused };

/// An owner, its thieves and its jobs. In every scenario each forked job runs once and its owner
/// sees the result.
template <class Sync, int Thieves, pops Pops = pops::private_first>
struct fork_scenario : scenario<1 + Thieves> {
  using stack = filch::queue::basic_fork_stack<Sync>;
  using entry = typename stack::entry;

  fork_scenario() {
    forks.adopt(entries.data(), entries.size(), Pops == pops::always_settling);
    if (Pops == pops::paused) forks.pause_pops();
  }

  stack forks;
  std::array<entry, 3> entries;
  std::array<closure<Sync>, 4> closures;
  std::array<std::size_t, 3> closure_at{};  // owner only: which job lies in which entry
  std::size_t closure_count = 0;
  std::size_t depth = 0;
  std::uint32_t exposed_count = 0;
  typename Sync::template plain<int> sleeper;  // what a waiter's handle leads to

  virtual void owner() = 0;
  virtual void thief() { rob(); }
  void thread(unsigned index) override { index == 0 ? owner() : thief(); }

  void after() override {
    while (depth > 0) model_assert(join(), "each thief has completed its job by now");
    model_assert(forks.bottom() == entries.data() && forks.peek().is_empty(),
                 "joins leave nothing behind");
    model_assert(forks.asked() == request::none || forks.must_pause(forks.bottom()),
                 "the next fork notices a request that stands");
  }

  // As `fork_slowly` and the fast path of a join do it.
  void fork() {
    entry* const at = forks.bottom();
    closure<Sync>& next = closures[closure_count];
    next.fill(static_cast<int>(closure_count) + 1);
    const bool has_paused = forks.must_pause(at);
    forks.push(at, {&closure<Sync>::run, &next});
    const bool was_asked = has_paused && forks.take_request() != request::none;
    closure_at[depth++] = closure_count++;
    if (was_asked) expose();
  }
  void expose() { exposed_count += forks.expose(); }
  void fork_exposed() {
    fork();
    expose();
  }
  /// False: the job is stolen and not done yet. Its entry stays; `join` may be called again.
  bool join() {
    entry* const at = forks.bottom() - 1;
    closure<Sync>& joined = closures[closure_at[depth - 1]];
    if (forks.pop_private(at) || forks.is_private(at) || forks.settle(at) == pop_outcome::popped) {
      closure<Sync>::run(&joined);
    } else if (at->is_done()) {
      forks.release(at);
    } else {
      forks.occupy(at);
      return false;
    }
    --depth;
    joined.expect_run_once();
    return true;
  }
  void join_all() {
    while (depth > 0 && join()) {
    }
  }
  /// As a stalled join that goes to sleep.
  void leave_handle(entry* at) {
    sleeper.write(1);
    at->leave_sleeper(reinterpret_cast<std::uintptr_t>(&sleeper));
  }

  void rob() { run_stolen(forks.steal()); }
  void run_stolen(entry* taken) {
    if (taken == nullptr) return;
    taken->run.read()(taken->environment.read());
    const std::uintptr_t waiter = taken->complete();
    if (waiter == 0) return;
    model_assert(waiter == reinterpret_cast<std::uintptr_t>(&sleeper) && sleeper.read() == 1,
                 "a waiter is seen whole");
  }
  void force_and_rob() {
    if (forks.has_private()) forks.expose_by_force();
    rob();
  }
};

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

template <class Sync, int Thieves, pops Pops = pops::private_first>
struct forced_under_a_popping_owner : fork_scenario<Sync, Thieves, Pops> {
  // A third preemption with two thieves takes 17 s and found nothing
  static constexpr unsigned context_bound = 4 - Thieves;
  // 10.7 million states
  static constexpr bool is_large = Thieves == 2 && std::is_same_v<Sync, checked_membarrier_sync>;
  static constexpr unsigned preemption_bound = is_large ? 3 : ~0U;
  void owner() override {
    this->fork();
    this->fork();
    this->join_all();
  }
  void thief() override { this->force_and_rob(); }
};

/// The owner pops, forks on the same entry and pops again, so that a forced exposure may come
/// between any two.
template <class Sync, int Thieves, pops Pops = pops::private_first>
struct forced_under_a_forking_owner : fork_scenario<Sync, Thieves, Pops> {
  static constexpr bool is_large = Thieves == 2 && std::is_same_v<Sync, checked_membarrier_sync>;
  static constexpr unsigned preemption_bound = is_large ? 3 : ~0U;
  void owner() override {
    this->fork();
    if (!this->join()) return;
    this->fork();
    this->join_all();
  }
  void thief() override { this->force_and_rob(); }
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
  filch::queue::basic_fork_stack<checked_sync> forks;
  std::array<filch::queue::basic_fork_entry<checked_sync>, 1> entries;

  void thread(unsigned index) override {
    index == 0 ? forks.adopt(entries.data(), entries.size(), false) : forks.pause_pops();
  }
  void after() override {
    model_assert(!forks.pop_private(entries.data()),
                 "an owner whose pops pause never pops at once");
  }
};

template <int Thieves>
using popping_by_fences = forced_under_a_popping_owner<checked_sync, Thieves>;
template <int Thieves>
using popping_by_membarrier = forced_under_a_popping_owner<checked_membarrier_sync, Thieves>;
template <int Thieves>
using popping_without_pair = forced_under_a_popping_owner<checked_fenceless_sync, Thieves>;
template <int Thieves>
using settling_without_pair =
    forced_under_a_popping_owner<checked_fenceless_sync, Thieves, pops::always_settling>;
template <int Thieves>
using pausing_by_membarrier =
    forced_under_a_popping_owner<checked_membarrier_sync, Thieves, pops::paused>;
template <int Thieves>
using pausing_without_pair =
    forced_under_a_popping_owner<checked_fenceless_sync, Thieves, pops::paused>;
template <int Thieves>
using forking_by_fences = forced_under_a_forking_owner<checked_sync, Thieves>;
template <int Thieves>
using forking_by_membarrier = forced_under_a_forking_owner<checked_membarrier_sync, Thieves>;
template <int Thieves>
using forking_without_pair = forced_under_a_forking_owner<checked_fenceless_sync, Thieves>;
template <int Thieves>
using resettling_without_pair =
    forced_under_a_forking_owner<checked_fenceless_sync, Thieves, pops::always_settling>;

/// Jobs without a join: a thief lets go of the entry before it runs the job, and the owner frees
/// all entries at once.
template <int Thieves>
struct let_go_before_it_runs : fork_scenario<checked_sync, Thieves> {
  using stack = filch::queue::basic_fork_stack<checked_sync>;

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
