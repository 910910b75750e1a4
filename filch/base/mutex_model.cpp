// The lock under every interleaving: one holder at a time, each sees the one before, none sleeps
// forever.
#include <filch/testing/model/witness.hpp>

#include <filch/base/mutex.hpp>
#include <filch/testing/model/model_futex.hpp>

namespace {

using filch::base::edge;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

template <int Threads>
struct sections : scenario<Threads> {
  filch::base::basic_mutex<filch::testing::model_futex<checked_sync>> lock;
  checked_sync::plain<int> count{0};
  void count_one() {
    count.write(count.read() + 1);
    lock.unlock();
  }
  void thread(unsigned) override {
    lock.lock();
    count_one();
  }
  void after() override { model_assert(count.read() == Threads, "one section after the other"); }
};

struct two_sections_each : sections<2> {
  void thread(unsigned index) override {
    sections<2>::thread(index);
    sections<2>::thread(index);
  }
  void after() override { model_assert(count.read() == 4, "one section after the other"); }
};

struct section_beside_an_attempt : sections<3> {
  bool was_open = false;
  void thread(unsigned index) override {
    if (index > 0) return sections<3>::thread(index);
    was_open = lock.try_lock();
    if (was_open) count_one();
  }
  void after() override {
    model_assert(count.read() == 2 + was_open, "one section after the other");
  }
};

}  // namespace

TEST(mutex_model, two_threads_take_turns) { EXPECT_TRUE(holds<sections<2>>()); }
TEST(mutex_model, three_threads_take_turns) { EXPECT_TRUE(holds<sections<3>>()); }
TEST(mutex_model, a_thread_may_come_again) { EXPECT_TRUE(holds<two_sections_each>()); }
TEST(mutex_model, an_attempt_takes_no_lock_that_is_held) {
  EXPECT_TRUE(holds<section_beside_an_attempt>());
}

WITNESS(edge::unlock, "a section sees the one before", sections<2>);
