// The injector under every interleaving up to a bound: its order, and the promise that no worker
// sleeps over a job.
#include <filch/testing/model/witness.hpp>

#include <filch/queue/injector.hpp>

#include <array>

namespace {

using filch::queue::edge;
using filch::queue::injected;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

struct job : injected {
  checked_sync::plain<int> sequence{0};
  checked_sync::plain<int> taken_count{0};
};

using injector = filch::queue::injector<checked_sync>;

job* take_from(injector& queue) {
  job* const got = static_cast<job*>(queue.pop());
  if (got != nullptr) got->taken_count.write(got->taken_count.read() + 1);
  return got;
}

/// One submitter pushes two jobs in order, another one; a consumer takes what it finds, and the
/// rest is taken at the end.
struct two_submitters_and_a_consumer : scenario<3> {
  injector queue;
  std::array<job, 3> jobs;

  void submit(std::size_t i) {
    jobs[i].sequence.write(static_cast<int>(i));
    queue.push(jobs[i]);
  }
  void thread(unsigned index) override {
    if (index == 0) {
      submit(0);
      submit(1);
    } else if (index == 1) {
      submit(2);
    } else {
      drain(2);
    }
  }
  /// The later of one submitter's two jobs never comes first.
  void drain(int count) {
    for (; count > 0; --count) {
      const job* const got = take_from(queue);
      if (got != nullptr && got->sequence.read() == 1)
        model_assert(jobs[0].taken_count.read() == 1, "first in, first out");
    }
  }
  void after() override {
    drain(3);
    for (const job& each : jobs)
      model_assert(each.taken_count.read() == 1, "each job is taken exactly once");
    model_assert(queue.looks_empty() && queue.size_hint() == 0,
                 "a drained injector knows that it is empty");
  }
};

struct two_consumers : scenario<3> {
  injector queue;
  std::array<job, 2> jobs;
  void thread(unsigned index) override {
    if (index > 0) return static_cast<void>(take_from(queue));
    for (job& each : jobs) queue.push(each);
  }
  void after() override {
    while (take_from(queue) != nullptr) {
    }
    for (const job& each : jobs)
      model_assert(each.taken_count.read() == 1, "each job is taken exactly once");
  }
};

/// Publish, then check, against announce, then recheck: the pattern of every sleeper in the
/// scheduler.
struct sleeper_and_submitter : scenario<2> {
  injector queue;
  job only;
  checked_sync::atomic<int> sleeper_count{0};
  checked_sync::atomic<int> wake_count{0};
  bool fell_asleep = false;

  void thread(unsigned index) override { index == 0 ? submit() : sleep(); }
  void submit() {
    queue.push(only);
    if (sleeper_count.load(filch::queue::seq_cst<edge::inject>) > 0)
      wake_count.fetch_add(1, filch::base::relaxed);
  }
  void sleep() {
    sleeper_count.fetch_add(1, filch::queue::seq_cst<edge::inject>);
    fell_asleep = queue.looks_empty();
  }
  void after() override {
    const bool woken = wake_count.load(filch::base::relaxed) > 0;
    model_assert(!fell_asleep || woken,
                 "either the sleeper sees the job or the submitter sees the sleeper");
    model_assert(take_from(queue) == &only, "the job is still there");
  }
};

}  // namespace

TEST(injector_model, jobs_of_one_submitter_stay_in_order) {
  EXPECT_TRUE(holds<two_submitters_and_a_consumer>());
}
TEST(injector_model, two_consumers_never_share_a_job) { EXPECT_TRUE(holds<two_consumers>()); }
TEST(injector_model, nobody_falls_asleep_over_a_job) {
  EXPECT_TRUE(holds<sleeper_and_submitter>());
}

WITNESS(edge::inject, "either the sleeper sees the job or the submitter sees the sleeper",
        sleeper_and_submitter);
