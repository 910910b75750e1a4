// The counts of unfinished jobs, and the end of the last one, under every interleaving up to a
// bound.
#include <filch/testing/model/witness.hpp>

#include <filch/sched/worker/job_count.hpp>

#include <array>

namespace {

using filch::base::acquire;
using filch::base::relaxed;
using filch::base::release;
using filch::sched::edge;
using filch::testing::checked_fenceless_sync;
using filch::testing::checked_membarrier_sync;
using filch::testing::checked_sync;
using filch::testing::model_assert;
using filch::testing::scenario;

template <class Sync, std::size_t Count>
struct counts {
  std::array<filch::sched::basic_job_count<Sync>, Count> of;
  bool have_all_ended() {
    return filch::sched::have_all_ended([this](auto add) {
      for (const auto& each : of) add(each);
    });
  }
};

/// A job begins another one and ends; that one ends on another worker. A third thread looks
/// meanwhile.
struct job_begun_by_a_job : scenario<3> {
  counts<checked_sync, 2> jobs;
  std::array<checked_sync::plain<int>, 2> result{};
  checked_sync::atomic<int> ready{0};
  job_begun_by_a_job() { jobs.of[0].begin(); }

  void thread(unsigned index) override { index == 0 ? first() : index == 1 ? second() : look(); }
  void first() {
    jobs.of[0].begin();
    ready.store(1, release<edge::enlist>);  // as a queue would
    result[0].write(1);
    jobs.of[0].end();
  }
  void second() {
    if (ready.load(acquire<edge::enlist>) == 0) return;
    result[1].write(1);
    jobs.of[1].end();
  }
  void look() {
    if (!jobs.have_all_ended()) return;
    model_assert(result[0].read() == 1 && result[1].read() == 1,
                 "a thread that sees that all have ended sees what they did");
  }
};

/// Threads end the last jobs, one each, while another thread begins to wait for them.
template <class Sync, unsigned Enders, bool Always = false>
struct last_jobs_end : scenario<1 + Enders> {
  counts<Sync, Enders> jobs;
  filch::sched::basic_quiescence<Sync> closing{Always};
  bool sleeps = false;
  std::array<bool, Enders> wakes{};
  last_jobs_end() {
    for (auto& each : jobs.of) each.begin();
  }

  void thread(unsigned index) override {
    if (index < Enders) {
      jobs.of[index].end();
      wakes[index] = closing.is_awaited() && jobs.have_all_ended();
    } else {
      closing.await();
      sleeps = !jobs.have_all_ended();
    }
  }
  void after() override {
    bool is_woken = false;
    for (const bool each : wakes) is_woken = is_woken || each;
    model_assert(!sleeps || is_woken, "the waiter does not sleep past the end of the last job");
  }
};

/// A thread that ends a job sees another one in its queue, and leaves the look to the thread that
/// takes that one.
template <class Sync, bool Always = false>
struct look_is_left_to_the_taker_of_the_rest : scenario<3> {
  counts<Sync, 2> jobs;
  filch::sched::basic_quiescence<Sync> closing{Always};
  typename Sync::template atomic<int> queued{1};
  bool sleeps = false, is_woken = false, other_is_woken = false;
  look_is_left_to_the_taker_of_the_rest() {
    for (auto& each : jobs.of) each.begin();
  }

  void thread(unsigned index) override { index == 0 ? leave() : index == 1 ? take() : wait(); }
  void leave() {
    jobs.of[0].end();
    is_woken = closing.is_awaited() && queued.load(relaxed) == 0 && jobs.have_all_ended();
  }
  void take() {
    queued.exchange(0, relaxed);
    jobs.of[1].end();
    other_is_woken = closing.is_awaited() && jobs.have_all_ended();
  }
  void wait() {
    closing.await();
    sleeps = !jobs.have_all_ended();
  }
  void after() override {
    model_assert(!sleeps || is_woken || other_is_woken,
                 "the waiter does not sleep past the end of the last job");
  }
};

// Between two threads that end jobs there is no fence on these machines, only their turns.
using two_by_membarrier = last_jobs_end<checked_membarrier_sync, 2>;
using two_without_fences = last_jobs_end<checked_fenceless_sync, 2, true>;

TEST(job_count_model, a_job_that_another_one_began_is_not_overlooked) {
  EXPECT_TRUE(filch::testing::holds<job_begun_by_a_job>());
}
TEST(job_count_model, the_last_job_wakes_the_waiter) {
  EXPECT_TRUE((filch::testing::holds<last_jobs_end<checked_sync, 1>>()));
}
TEST(job_count_model, the_last_two_jobs_wake_the_waiter) {
  EXPECT_TRUE((filch::testing::holds<last_jobs_end<checked_sync, 2>>()));
}
TEST(job_count_model, a_membarrier_is_fence_enough) {
  EXPECT_TRUE(filch::testing::holds<two_by_membarrier>());
}
TEST(job_count_model, without_any_fence_every_end_takes_its_turn) {
  EXPECT_TRUE(filch::testing::holds<two_without_fences>());
}

TEST(job_count_model, a_thread_that_leaves_a_job_leaves_the_look_to_its_taker) {
  EXPECT_TRUE((filch::testing::holds<look_is_left_to_the_taker_of_the_rest<checked_sync>>()));
  EXPECT_TRUE(
      (filch::testing::holds<look_is_left_to_the_taker_of_the_rest<checked_membarrier_sync>>()));
  EXPECT_TRUE((filch::testing::holds<
               look_is_left_to_the_taker_of_the_rest<checked_fenceless_sync, true>>()));
}

WITNESS(edge::counted, "a thread that sees that all jobs have ended sees what they did",
        job_begun_by_a_job);
WITNESS(edge::quiescence, "either the last job sees the waiter, or the waiter sees its end",
        last_jobs_end<checked_sync, 1>);
WITNESS(edge::take_turns, "the last two jobs do not each miss the other's end", two_without_fences);

}  // namespace
