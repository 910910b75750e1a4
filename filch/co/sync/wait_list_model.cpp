// A wait from its beginning to its end, under every interleaving. The waiter lists itself, a thread
// serves it, and a canceller asks its task to stop. At the end its frame is destroyed, and so is
// the primitive. Every primitive is that list, that interrupt and a lock.
#include <filch/testing/model/witness.hpp>

#include <filch/co/sync/interrupt.hpp>
#include <filch/co/sync/wait_list.hpp>

#include <array>
#include <memory>
#include <optional>

namespace {

using filch::co::sync::basic_interrupt;
using filch::co::sync::served_chain;
using filch::co::sync::wait_link;
using filch::co::sync::wait_list;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// The part that all primitives share.
struct primitive {
  checked_sync::mutex lock;
  checked_sync::plain<bool> is_there{false};  ///< What is waited for.
};

struct waiter : wait_link {
  explicit waiter(primitive& there) noexcept : where{&there} { given.write(0); }
  primitive* const where;
  checked_sync::plain<int> given;  ///< By the server, under the lock.
};

/// One task and its canceller, as in `wait_node` and `cancellation_slot`. `Waiter` lives as long as
/// the wait.
template <class Waiter, int Threads>
struct task_and_asker : scenario<Threads> {
  basic_interrupt<checked_sync, Waiter> point{true};
  std::unique_ptr<Waiter> mine;
  int ends = 0;
  bool was_interrupted = false;

  template <class List>
  void wait(List list_or_settle) {
    Waiter& waits = *mine;
    if (!point.arm(waits)) {
      waits.at = wait_link::state::interrupted;
      return go_on(waits);
    }
    primitive& where = *waits.where;
    where.lock.lock();
    const bool need_not_wait = waits.at == wait_link::state::interrupted || list_or_settle(waits);
    where.lock.unlock();
    if (need_not_wait) go_on(waits);  // else it may be gone
  }
  void ask() {
    served_chain woken;
    point.ask([&](Waiter& found) {
      primitive& where = *found.where;
      where.lock.lock();
      static_cast<void>(found.given.read());  // it is still there
      interrupt(found, woken);
      where.lock.unlock();
    });
    wake(woken);
  }
  void wake(const served_chain& served) {
    for (wait_link* each = served.first(); each != nullptr;) {
      Waiter& one = static_cast<Waiter&>(*each);
      each = each->next;
      go_on(one);
    }
  }
  /// On the thread that woke it, as a suspended coroutine may. No other thread touches it any more.
  virtual void go_on(Waiter& waits) {
    point.disarm();
    was_interrupted = waits.at == wait_link::state::interrupted;
    model_assert(was_interrupted == (waits.given.read() == 0),
                 "it is given what it waits for, or is interrupted");
    model_assert(waits.list == nullptr, "it stands in no line");
    ++ends;
    mine.reset();
  }
};

/// An event that the waiter destroys once it has seen it, before `set` returns.
struct set_and_asked : task_and_asker<waiter, 3> {
  struct event : primitive {
    wait_list waiting;
  };
  std::unique_ptr<event> at = std::make_unique<event>();

  set_and_asked() {
    at->is_there.write(false);
    mine = std::make_unique<waiter>(*at);
  }
  void go_on(waiter& waits) override {
    task_and_asker::go_on(waits);
    if (!was_interrupted) at.reset();
  }
  void set() {
    event& here = *at;
    served_chain served;
    here.lock.lock();
    here.is_there.write(true);
    while (wait_link* const first = here.waiting.serve_first()) {
      static_cast<waiter*>(first)->given.write(1);
      served.add(first);
    }
    here.lock.unlock();
    wake(served);
  }
  void thread(unsigned index) override {
    switch (index) {
      case 0:
        return wait([this](waiter& waits) {
          const bool is_there = at->is_there.read();
          if (is_there) waits.given.write(1);
          return at->waiting.settle_or_list(waits, is_there);
        });
      case 1: return set();
      default: return ask();
    }
  }
  void after() override {
    model_assert(ends == 1 && mine == nullptr, "the wait has ended, and once");
    model_assert(was_interrupted == (at != nullptr),
                 "an event that nobody has seen is still there");
  }
};

/// A timer, alone in a list of its own: one thread expires it, another cancels it. It may also be
/// started after both.
struct timer : waiter {
  explicit timer(primitive& queue) noexcept : waiter{queue} {}
  wait_list alone{&leaves_queue, this};
  static void leaves_queue(void* self, served_chain&) noexcept {
    static_cast<timer*>(self)->where->is_there.write(false);
  }
};

struct expired_and_asked : task_and_asker<timer, 3> {
  primitive queue;

  expired_and_asked() {
    queue.is_there.write(false);
    mine = std::make_unique<timer>(queue);
  }
  void expire() {
    queue.lock.lock();
    timer* const due = queue.is_there.read() ? mine.get() : nullptr;
    if (due != nullptr) {
      queue.is_there.write(false);
      due->alone.serve_first();
      due->given.write(1);
    }
    queue.lock.unlock();
    if (due != nullptr) go_on(*due);
  }
  void thread(unsigned index) override {
    switch (index) {
      case 0:
        return wait([this](timer& waits) {
          waits.alone.push_back(waits);
          queue.is_there.write(true);
          return false;
        });
      case 1: return expire();
      default: return ask();
    }
  }
  void after() override {
    model_assert(ends == 1 && mine == nullptr,
                 "the request to stop has ended the wait, if time has not");
    model_assert(!queue.is_there.read(), "the queue has forgotten it");
  }
};

/// A meeting of two waiters, one of which is asked to stop: a waiter that left has not arrived.
struct met_and_asked : task_and_asker<waiter, 3> {
  primitive barrier;
  wait_list here;
  std::optional<waiter> other;
  bool other_has_met = false;

  met_and_asked() {
    barrier.is_there.write(false);
    mine = std::make_unique<waiter>(barrier);
    other.emplace(barrier);
  }
  /// True: the last one, and `first` is the waiter that came before.
  bool arrive(waiter& comes, waiter*& first) {
    first = static_cast<waiter*>(here.serve_first());
    if (first == nullptr) {
      here.push_back(comes);
      return false;
    }
    first->given.write(1);
    comes.given.write(1);
    comes.at = wait_link::state::served;
    return true;
  }
  void come_as_the_other() {
    waiter* first = nullptr;
    barrier.lock.lock();
    other_has_met = arrive(*other, first);
    barrier.lock.unlock();
    if (first != nullptr) go_on(*first);
  }
  void thread(unsigned index) override {
    switch (index) {
      case 0:
        return wait([this](waiter& waits) {
          waiter* first = nullptr;
          const bool is_last = arrive(waits, first);
          other_has_met |= first != nullptr;
          return is_last;
        });
      case 1: return come_as_the_other();
      default: return ask();
    }
  }
  void after() override {
    model_assert(ends == 1, "both meet, or one of them leaves");
    model_assert(other_has_met == !was_interrupted, "a waiter that has left meets nobody");
    model_assert(here.is_empty() == other_has_met, "a waiter that still waits has met nobody");
    if (!other_has_met) here.remove(*other);
  }
};

}  // namespace

TEST(wait_list_model, an_event_may_go_with_the_wait_that_saw_it) {
  EXPECT_TRUE(holds<set_and_asked>());
}
TEST(wait_list_model, a_timer_expires_or_is_cancelled) { EXPECT_TRUE(holds<expired_and_asked>()); }
TEST(wait_list_model, two_meet_or_one_of_them_leaves) { EXPECT_TRUE(holds<met_and_asked>()); }
