// Permits under every interleaving: no more holders than permits, each sees the one before, and nobody waits beside a free permit.
#include <filch/testing/model/witness.hpp>

#include <filch/co/sync/permits.hpp>

#include <array>

namespace {

using filch::co::sync::basic_permits;
using filch::co::sync::edge;
using filch::co::sync::served_chain;
using filch::co::sync::wait_link;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// Each thread takes the one permit or lists its waiter. Who is served goes on on the thread that served it, as a suspended coroutine may.
template <int Threads>
struct sections : scenario<Threads> {
  basic_permits<checked_sync> permit{1};
  std::array<wait_link, Threads> waiters;
  checked_sync::plain<int> count{0};

  void hold_and_put_back() {
    count.write(count.read() + 1);
    for (std::size_t left = 1; left > 0;) {
      const served_chain served = permit.release(left);
      for (wait_link* each = served.first(); each != nullptr; each = each->next) hold_and_put_back();
    }
  }
  void thread(unsigned index) override {
    if (permit.try_acquire() || permit.acquire_or_list(waiters[index])) hold_and_put_back();
  }
  void after() override {
    model_assert(count.read() == Threads, "each holds it once");
    model_assert(permit.try_acquire(), "it is free at the end");
  }
};

/// The last thread takes the waiter of the one before it out of the list, as `wait_node::interrupt` does.
template <int Threads>
struct sections_and_an_interrupt : sections<Threads> {
  using sections<Threads>::permit;
  bool was_interrupted = false;

  void thread(unsigned index) override {
    if (index + 1 < Threads) return sections<Threads>::thread(index);
    wait_link& other = this->waiters[index - 1];
    permit.lock().lock();
    if (other.at == wait_link::stage::listed) {
      other.list->remove(other);
      other.at = wait_link::stage::interrupted;
      was_interrupted = true;
    }
    permit.lock().unlock();
  }
  void after() override {
    model_assert(this->count.read() == Threads - 1 - was_interrupted, "each holds it once, unless it was interrupted");
    model_assert(permit.try_acquire(), "it is free at the end");
  }
};

/// Two permits that are put back at once, while two threads come for one each.
struct put_back_two : scenario<3> {
  basic_permits<checked_sync> permits{0};
  std::array<wait_link, 2> waiters;
  checked_sync::plain<int> left_there{0};
  std::array<checked_sync::plain<int>, 2> seen;

  put_back_two() {
    for (auto& each : seen) each.write(0);
  }
  void thread(unsigned index) override {
    if (index < 2) {
      if (permits.try_acquire() || permits.acquire_or_list(waiters[index])) seen[index].write(left_there.read());
      return;
    }
    left_there.write(1);
    for (std::size_t left = 2; left > 0;) {
      for (wait_link* each = permits.release(left).first(); each != nullptr; each = each->next) {
        seen[static_cast<std::size_t>(each - waiters.data())].write(left_there.read());
      }
    }
  }
  void after() override {
    model_assert(seen[0].read() == 1 && seen[1].read() == 1, "each has one, and sees what was left");
    model_assert(!permits.try_acquire(), "there are no more");
  }
};

}  // namespace

TEST(permits_model, two_threads_take_turns) { EXPECT_TRUE(holds<sections<2>>()); }
TEST(permits_model, three_threads_take_turns) { EXPECT_TRUE(holds<sections<3>>()); }
TEST(permits_model, who_is_interrupted_leaves_the_permit_to_others) { EXPECT_TRUE(holds<sections_and_an_interrupt<3>>()); }
TEST(permits_model, two_that_are_put_back_serve_two) { EXPECT_TRUE(holds<put_back_two>()); }

WITNESS(edge::permit, "a section sees the one before", sections<2>, sections<3>);
