// Permits under every interleaving: no more holders than permits, each sees the one before, and no
// waiter stays listed beside a free permit.
#include <filch/testing/model/witness.hpp>

#include <filch/co/sync/permits.hpp>

#include <array>

namespace {

using filch::co::sync::basic_permits;
using filch::co::sync::edge;
using filch::co::sync::let_go;
using filch::co::sync::served_chain;
using filch::co::sync::wait_link;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// Each thread takes the one permit or lists its waiter. The thread that serves a waiter also
/// resumes it, as it may a suspended coroutine.
template <int Threads, bool CanBeOvertaken = false>
struct sections : scenario<Threads> {
  using permits = basic_permits<checked_sync>;
  permits permit = CanBeOvertaken ? permits::of_one() : permits{1};
  std::array<permits::waiter, Threads> waiters;
  checked_sync::plain<int> count{0};

  sections() {
    for (wait_link& each : waiters) each.may_return = true;
  }
  void hold_and_put_back() {
    count.write(count.read() + 1);
    let_go others;
    for (std::size_t left = 1; left > 0;) permit.release(left, others);
    go_on(others);
  }
  void go_on(const let_go& others) {
    for (wait_link* each = others.served.first(); each != nullptr; each = each->next)
      hold_and_put_back();
    if (others.again != nullptr) try_again(static_cast<typename permits::waiter&>(*others.again));
  }
  void try_again(typename permits::waiter& returned) {
    let_go others;
    if (permit.acquire_or_list_again(returned, others)) hold_unless_interrupted(returned);
    go_on(others);
  }
  void hold_unless_interrupted(const wait_link& settled) {
    if (settled.at == wait_link::state::served) hold_and_put_back();
  }
  void thread(unsigned index) override {
    if (permit.try_acquire()) return hold_and_put_back();
    if (permit.acquire_or_list(waiters[index])) hold_unless_interrupted(waiters[index]);
  }
  void after() override {
    model_assert(count.read() == Threads, "each holds it once");
    model_assert(permit.try_acquire(), "it is free at the end");
  }
};

/// The same, but the last waiter cannot return: it must be handed a permit.
struct sections_of_which_one_cannot_return : sections<3, true> {
  sections_of_which_one_cannot_return() { waiters.back().may_return = false; }
};

/// The last thread interrupts the waiter of the one before it, as a canceller does.
template <int Threads, bool CanBeOvertaken = false>
struct sections_and_an_interrupt : sections<Threads, CanBeOvertaken> {
  using sections<Threads, CanBeOvertaken>::permit;

  void thread(unsigned index) override {
    if (index + 1 < Threads) return sections<Threads, CanBeOvertaken>::thread(index);
    served_chain woken;
    permit.lock().lock();
    interrupt(this->waiters[index - 1], woken);
    permit.lock().unlock();
  }
  void after() override {
    const bool was_interrupted = this->waiters[Threads - 2].at == wait_link::state::interrupted;
    const int held = this->count.read();
    model_assert(held == Threads - 1 || (was_interrupted && held == Threads - 2),
                 "each holds it once, unless it was interrupted");
    model_assert(permit.try_acquire(), "it is free at the end");
  }
};

/// Two permits are put back at once, while two threads take one each.
struct put_back_two : scenario<3> {
  basic_permits<checked_sync> permits{0};
  std::array<basic_permits<checked_sync>::waiter, 2> waiters;
  checked_sync::plain<int> left_there{0};
  std::array<checked_sync::plain<int>, 2> seen;

  put_back_two() {
    for (auto& each : seen) each.write(0);
  }
  void thread(unsigned index) override {
    if (index < 2) {
      if (permits.try_acquire() || permits.acquire_or_list(waiters[index]))
        seen[index].write(left_there.read());
      return;
    }
    left_there.write(1);
    let_go others;
    for (std::size_t left = 2; left > 0;) permits.release(left, others);
    for (wait_link* each = others.served.first(); each != nullptr; each = each->next) {
      seen[index_of(each)].write(left_there.read());
    }
  }
  std::size_t index_of(const wait_link* of) const {
    return static_cast<std::size_t>(static_cast<const basic_permits<checked_sync>::waiter*>(of) -
                                    waiters.data());
  }
  void after() override {
    model_assert(seen[0].read() == 1 && seen[1].read() == 1,
                 "each has one, and sees what was left");
    model_assert(!permits.try_acquire(), "there are no more");
  }
};

/// The first thread wants both of two permits, the others one each. A thread that holds what it
/// wants puts it back. The last thread may interrupt the one that wants both.
template <int Threads, bool IsInterrupted>
struct both_or_one : scenario<Threads> {
  using permits = basic_permits<checked_sync>;
  static constexpr int takers = IsInterrupted ? Threads - 1 : Threads;
  permits two{2};
  std::array<typename permits::waiter, takers> waiters;
  /// The first is written by the thread that has both.
  std::array<checked_sync::plain<int>, 2> seen;
  int held = 0;

  both_or_one() {
    waiters[0].wanted = 2;
    for (auto& each : seen) each.write(0);
  }
  void hold_and_put_back(std::size_t wanted) {
    ++held;
    // Plain: a thread that held one permit has released it before
    if (wanted == 2) seen[0].write(seen[0].read() + 1);
    let_go others;
    for (std::size_t left = wanted; left > 0;) two.release(left, others);
    go_on(others);
  }
  void go_on(const let_go& others) {
    for (wait_link* each = others.served.first(); each != nullptr;) {
      wait_link* const next = each->next;
      hold_and_put_back(static_cast<typename permits::waiter*>(each)->wanted);
      each = next;
    }
  }
  void thread(unsigned index) override {
    if (IsInterrupted && index + 1 == Threads) {
      let_go others;
      two.lock().lock();
      interrupt(waiters[0], others.served);
      two.lock().unlock();
      return go_on_without_first(others);
    }
    typename permits::waiter& mine = waiters[index];
    if (two.try_acquire(mine.wanted)) return hold_and_put_back(mine.wanted);
    if (two.acquire_or_list(mine) && mine.at == wait_link::state::served)
      hold_and_put_back(mine.wanted);
  }
  /// The interrupted one is woken as well, and holds nothing.
  void go_on_without_first(const let_go& others) {
    for (wait_link* each = others.served.first(); each != nullptr;) {
      wait_link* const next = each->next;
      if (each->at == wait_link::state::served)
        hold_and_put_back(static_cast<typename permits::waiter*>(each)->wanted);
      each = next;
    }
  }
  void after() override {
    const bool was_interrupted = waiters[0].at == wait_link::state::interrupted;
    model_assert(held == takers || (was_interrupted && held == takers - 1),
                 "each holds what it wants, unless it was interrupted");
    model_assert(two.try_acquire(2), "both are free at the end");
    model_assert(!two.try_acquire(), "and there are no more");
  }
};

}  // namespace

TEST(permits_model, two_threads_take_turns) { EXPECT_TRUE(holds<sections<2>>()); }
TEST(permits_model, three_threads_take_turns) { EXPECT_TRUE(holds<sections<3>>()); }
TEST(permits_model, an_interrupted_waiter_leaves_the_permit_to_others) {
  EXPECT_TRUE(holds<sections_and_an_interrupt<3>>());
}
TEST(permits_model, two_threads_overtake_each_other) { EXPECT_TRUE((holds<sections<2, true>>())); }
TEST(permits_model, three_threads_overtake_each_other) {
  EXPECT_TRUE((holds<sections<3, true>>()));
}
TEST(permits_model, beside_two_that_overtake_one_cannot_return) {
  EXPECT_TRUE(holds<sections_of_which_one_cannot_return>());
}
TEST(permits_model, a_waiter_interrupted_on_its_return_leaves_the_permit_to_others) {
  EXPECT_TRUE((holds<sections_and_an_interrupt<3, true>>()));
  EXPECT_TRUE((holds<sections_and_an_interrupt<4, true>>()));
}
TEST(permits_model, two_that_are_put_back_serve_two) { EXPECT_TRUE(holds<put_back_two>()); }
TEST(permits_model, one_that_wants_both_gets_them_beside_others_that_want_one) {
  EXPECT_TRUE((holds<both_or_one<2, false>>()));
  EXPECT_TRUE((holds<both_or_one<3, false>>()));
}
TEST(permits_model, one_that_wants_both_and_is_interrupted_leaves_what_was_gathered) {
  EXPECT_TRUE((holds<both_or_one<3, true>>()));
}

WITNESS(edge::permit, "a section sees the one before", sections<2>, sections<3>);
