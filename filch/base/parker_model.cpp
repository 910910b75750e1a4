// The parker under every interleaving: a token is taken once, brings its data, and is the waker's
// last access.
#include <filch/testing/model/witness.hpp>

#include <filch/base/parker.hpp>
#include <filch/testing/model/model_futex.hpp>

#include <memory>

namespace {

using filch::base::edge;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

using parker = filch::base::basic_parker<filch::testing::model_futex<checked_sync>>;

struct token_for_a_sleeper : scenario<2> {
  parker bed;
  checked_sync::plain<int> news{0};
  void thread(unsigned index) override {
    if (index == 0) {
      bed.park();
      model_assert(news.read() == 1, "a woken thread sees why");
    } else {
      news.write(1);
      bed.unpark();
    }
  }
  void after() override { model_assert(!bed.has_token(), "a token is taken"); }
};

/// A thread that sleeps for a limited time, and goes to sleep again.
struct token_for_a_napper : scenario<2> {
  parker bed;
  checked_sync::plain<int> news{0};
  void thread(unsigned index) override {
    if (index == 0) {
      if (!bed.park_for(1)) bed.park();
      model_assert(news.read() == 1, "a woken thread sees why");
    } else {
      news.write(1);
      bed.unpark();
    }
  }
  void after() override { model_assert(!bed.has_token(), "a token is taken"); }
};

/// Two wakers leave one token or two. The sleeper that saw one of them leaves at most one behind.
struct two_wakers : scenario<3> {
  parker bed;
  void thread(unsigned index) override { index == 0 ? bed.park() : bed.unpark(); }
};

/// The sleeper frees the parker as soon as it is awake.
struct bed_that_goes_with_its_sleeper : scenario<2> {
  std::unique_ptr<parker> bed = std::make_unique<parker>();
  parker* const known = bed.get();
  void thread(unsigned index) override {
    if (index == 0) {
      known->park();
      bed.reset();
    } else {
      known->unpark();
    }
  }
};

}  // namespace

TEST(parker_model, a_token_wakes_and_brings_its_data) { EXPECT_TRUE(holds<token_for_a_sleeper>()); }
TEST(parker_model, a_token_is_not_lost_on_a_timed_park) {
  EXPECT_TRUE(holds<token_for_a_napper>());
}
TEST(parker_model, two_wakers_wake) { EXPECT_TRUE(holds<two_wakers>()); }
#if !defined(FILCH_RELACY)  // whose futex knows sleepers by the word itself, not by its address
TEST(parker_model, a_parker_may_be_freed_once_its_token_is_taken) {
  EXPECT_TRUE(holds<bed_that_goes_with_its_sleeper>());
}
#endif

WITNESS(edge::token, "a woken thread sees why", token_for_a_sleeper);
