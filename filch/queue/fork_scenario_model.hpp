#pragma once
// What every scenario of the fork stack's model checks has: an owner, thieves and jobs. Thread 0 is
// the owner.
#include <filch/testing/model/witness.hpp>

#include <filch/queue/fork_stack.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>

namespace filch::inline v0_2::queue {

using testing::model_assert;
using testing::scenario;

/// For the checker's histories.
inline std::ostream& operator<<(std::ostream& out, request asked) {
  return out << static_cast<std::uint32_t>(asked);
}

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
  using stack = basic_fork_stack<Sync>;
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

}  // namespace filch::queue
