#include <filch/testing/random_program_test.hpp>

#include <filch/co.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sync.hpp>
#include <filch/testing.hpp>
#include <filch/testing/random_program_gates_test.hpp>
#include <filch/testing/scarce_memory_test.hpp>
#include <filch/timers.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace filch::testing {
namespace {

struct planted {
  int number;
};

// The piece that this thread is in; whatever begins inside must be a part of it.
thread_local int innermost = -1;

/// A thing that jobs carry: as many must be destroyed as were made.
class token {
 public:
  explicit token(int& alive) noexcept : alive_{&alive} { ++*alive_; }
  token(const token& other) noexcept : token{*other.alive_} {}
  ~token() { --*alive_; }
  token& operator=(const token&) = delete;

 private:
  int* alive_;
};

}  // namespace

class program_run {
 public:
  explicit program_run(random_program& what) : all_{what} {}

  void run() {
    const std::int64_t blocks_before = scarce_memory::blocks_alive();
    void* const default_before = base::current_simulation()->default_pool;
    {
      if (lacks_memory()) memory_.emplace(all_.seed_);
      std::optional<thread_pool> outer, home, other;
      if (lacks_memory()) make_default(outer);
      home_ = &make(home, {.workers = 1 + all_.below(4),
                           .max_spares = all_.has_tasks_ ? 256 : all_.below(3),
                           .seed = seed()});
      other_ = &make(other, {.workers = 1 + all_.below(3), .seed = seed()});
      play_all();
      if (lacks_memory()) check_that_pools_work();
    }
    base::current_simulation()->default_pool = default_before;
    check(alive_ == 0, "every job that was made is destroyed");
    check(blocks_before == scarce_memory::blocks_alive(), "all memory is given back");
    for (const node& each : all_.nodes_) {
      check(each.runs <= 1, "nothing runs twice");
      check(each.expected != fate::once || each.runs == 1, "what must run has run");
      check(each.expected != fate::never || each.runs == 0, "nothing runs after an exception");
      check(each.said != answer::taken || each.arrivals == 1, "what was taken has begun");
      check(each.said != answer::refused || each.arrivals == 0, "what was refused has not begun");
    }
  }

 private:
  struct inside {
    explicit inside(int at) noexcept : outer{std::exchange(innermost, at)} {}
    ~inside() { innermost = outer; }
    const int outer;
  };
  node& at(int number) noexcept { return all_.nodes_[static_cast<std::size_t>(number)]; }
  bool is_part_of(int part, int whole) noexcept {
    while (part != whole && part != -1) part = at(part).parent;
    return part == whole;
  }

  void play_all() {
    std::vector<std::unique_ptr<thread>> threads;
    std::optional<thread> knocks;
    {
      const plenty here;
      if (lacks_memory() && all_.has_tasks_)
        knocks.emplace("knocks", [this] { knock_until_over(); });
      for (std::size_t i = 1; i < all_.roots_.size(); ++i) {
        threads.push_back(std::make_unique<thread>(
            "outside", [this, root = all_.roots_[i]] { play_any_root(root); }));
      }
    }
    play_any_root(all_.roots_.front());
    threads.clear();
    while (!all_.drains_ && alive_ != 0) nap(std::chrono::microseconds(100));
    is_over_ = true;
  }

  // -----------------------------------------------------------------------------------------------
  // without memory
  bool lacks_memory() const noexcept { return all_.lack_ == scarcity::memory; }
  void check_refused() const {
    check(memory_ && memory_->refused() != 0, "memory is short only where it was refused");
  }

  /// Makes a pool, at the second attempt if the first one gets no memory.
  static thread_pool& make(std::optional<thread_pool>& room, const pool_options& wanted) {
    try {
      return room.emplace(wanted);
    } catch (const std::bad_alloc&) {
      const plenty here;
      return room.emplace(wanted);
    }
  }
  /// In place of the explorer's, which would give its memory back only after the run.
  static void make_default(std::optional<thread_pool>& room) {
    base::current_simulation()->default_pool =
        &make(room, {.workers = 2, .max_spares = 256, .seed = seed()});
  }

  /// If a thread was refused, a task waits until another call asks for one; here there may be none.
  void knock_until_over() {
    while (!is_over_) {
      nap(std::chrono::milliseconds(5));
      knock();
    }
  }
  void knock() {
    for (thread_pool* const each : {home_, other_, &default_pool()})
      each->core().parking().job_published(nullptr);
  }

  void check_that_pools_work() {
    memory_->end();
    all_.refusals_ = memory_->refused();
    knock();
    for (thread_pool* const each : {home_, other_, &default_pool()}) {
      int count = 0;
      try {
        each->submit([held = token{alive_}] {});
        each->run([&] {
          task_group group;
          group.run([&] { ++count; });
          join([&] { ++count; }, [&] { ++count; });
          group.wait();
        });
        check(count == 3, "a pool that was refused memory works on");
      } catch (const pool_stopped&) {
        check_stops();
      }
    }
  }

  /// Hands a part to the library, which takes it and begins it once, or throws and does not.
  template <class Call>
  decltype(auto) hand(int part, Call&& call) {
    try {
      if (!all_.stops_) at(part).said = answer::taken;
      return call();
    } catch (...) {
      at(part).said = answer::refused;
      throw;
    }
  }
  /// The part begins in the construct that it was handed to.
  void arrive(int part) { ++at(part).arrivals; }
  void check_all_arrived(const node& here) {
    for (const int each : here.parts)
      check(at(each).arrivals == 1, "a call that returns has run every part");
  }
  /// `call` runs all parts; or runs the first one, whose exception comes out; or throws before it
  /// runs any, for want of memory in an external thread.
  template <class Call>
  void run_all_or_throw(const node& here, Call&& call) {
    const bool may_refuse = lacks_memory() && this_pool() == nullptr;
    try {
      call();
    } catch (...) {
      check(may_refuse || at(here.parts[0]).arrivals == 1, "what is thrown was thrown by a part");
      throw;
    }
    check_all_arrived(here);
  }

  // -----------------------------------------------------------------------------------------------
  // plain functions
  void play_any_root(int root) {
    try {
      play_root(root);
    } catch (const std::bad_alloc&) {
      check_refused();
      check(at(root).runs == 0, "nothing leaves a guard");
    }
  }

  void play_root(int root) {
    switch (root % 3) {
      case 0: play(root); break;
      case 1: home_->run([&] { play(root); }); break;
      default: join([&] { play(root); }, [] {}); break;
    }
  }

  /// When a piece ends, all that it has begun has ended, except what it has detached.
  class being_played {
   public:
    being_played(program_run& run, node& which) noexcept : run_{run}, which_{which} {
      which_.is_being_played = true;
    }
    ~being_played() {
      which_.is_being_played = false;
      if (which_.kind == piece::submitted || which_.kind == piece::dropped) return;
      for (const int each : which_.parts)
        check(!run_.at(each).is_being_played, "what a piece began has ended with it");
    }

   private:
    program_run& run_;
    node& which_;
  };

  void play(int number) {
    node& here = at(number);
    const being_played until_it_ends{*this, here};
    if (is_task(here.kind)) return block_on(task_of(number));
    begin(number);
    const inside now{number};
    const int* const thread_before = &innermost;
    play_parts(number, here);
    check(thread_before == &innermost && innermost == number, "a call returns on its thread");
  }

  /// Not inline: a coroutine might keep using the thread that it has left.
  [[gnu::noinline]] void goes_on(int number) {
    check(is_part_of(number, innermost), "a wait runs only parts of what it waits for");
  }
  void begin(int number) {
    goes_on(number);
    ++at(number).runs;
  }

  void play_parts(int number, node& here) {
    const auto part = [&](std::size_t i) {
      return [this, next = here.parts[i], held = token{alive_}] {
        arrive(next);
        play(next);
      };
    };
    switch (here.kind) {
      case piece::leaf: point("leaf"); break;
      case piece::sequence:
        for (const int each : here.parts) play(each);
        break;
      case piece::join:
        run_all_or_throw(here, [&] {
          here.parts.size() == 2 ? void(join(part(0), part(1)))
                                 : void(join(part(0), part(1), part(2)));
        });
        break;
      case piece::group:
      case piece::cancelled_group: play_group(here); break;
      case piece::chain: play_chain(here); break;
      case piece::loop:
        parallel_for(std::size_t{0}, here.parts.size(), [&](std::size_t i) { part(i)(); });
        check_all_arrived(here);
        break;
      case piece::broken_loop: play_broken_loop(here); break;
      case piece::reduction: play_reduction(here); break;
      case piece::blocked: run_all_or_throw(here, [&] { blocking(part(0)); }); break;
      case piece::submitted: play_submitted(number, here); break;
      case piece::visit: play_visit(here); break;
      case piece::thrown: throw planted{number};
      case piece::guard: play_guard(here); break;
      case piece::nap: nap(std::chrono::microseconds(number)); break;
      case piece::stop: other_->request_stop(); break;
      default: break;  // tasks are not played
    }
  }

  void play_group(node& here) {
    task_group group;
    for (std::size_t i = 0; i < here.parts.size(); ++i) {
      if (here.kind == piece::cancelled_group && i == here.parts.size() / 2) group.cancel();
      node& part = at(here.parts[i]);
      hand(here.parts[i], [&] {
        group.run([this, next = here.parts[i], held = token{alive_}] {
          arrive(next);
          play(next);
        });
      });
      // Also if the pool was asked to stop; but once one part has thrown, others are taken and do
      // not begin.
      part.said =
          here.kind == piece::cancelled_group || may_fail(here) ? answer::none : answer::taken;
    }
    group.wait();
  }

  bool may_fail(const node& group) const noexcept {
    return lacks_memory() || !group.leaves_by.empty();
  }

  void play_chain(node& here) {
    task_group group;
    add_link(group, here, 0);
    group.wait();
  }
  void add_link(task_group& group, node& here, std::size_t i) {
    if (i == here.parts.size()) return;
    hand(here.parts[i], [&] {
      group.run([this, &group, &here, i, held = token{alive_}] {
        arrive(here.parts[i]);
        add_link(group, here, i + 1);
        play(here.parts[i]);
      });
    });
    if (may_fail(here)) at(here.parts[i]).said = answer::none;
  }

  void play_broken_loop(node& here) {
    parallel_for(std::size_t{0}, here.parts.size(), [&](std::size_t i) {
      play(here.parts[i]);
      if (i == 0) throw planted{here.parts.front()};
    });
  }

  void play_reduction(node& here) {
    const auto sum = parallel_reduce(
        std::size_t{0}, here.parts.size(), std::size_t{0},
        [&](std::size_t i) {
          play(here.parts[i]);
          return i + 1;
        },
        std::plus<>{});
    check(sum == here.parts.size() * (here.parts.size() + 1) / 2, "a reduction counts every part");
  }

  void play_submitted(int number, node& here) {
    thread_pool& pool = number % 2 == 0 && !all_.drains_ ? *home_ : *other_;
    try {
      hand(here.parts[0], [&] {
        pool.submit([this, next = here.parts[0], held = token{alive_}] { play_detached(next); });
      });
    } catch (const pool_stopped&) {
      check(all_.stops_, "a pool refuses work only if it was asked to stop");
    } catch (const std::system_error&) {
      check(all_.lack_ == scarcity::threads, "a submission fails only for want of a thread");
    }
  }
  void play_detached(int number) {
    check(innermost == -1, "a detached job begins between two jobs");
    arrive(number);
    innermost = at(number).parent;
    try {
      play(number);
    } catch (const std::bad_alloc&) {  // no caller would see it
      check_refused();
    }
    innermost = -1;
  }

  void play_visit(node& here) {
    try {
      (other_->is_current() ? home_ : other_)->run([&] {
        arrive(here.parts[0]);
        play(here.parts[0]);
      });
      check_all_arrived(here);
    } catch (const pool_stopped&) {
      check(all_.stops_, "a pool refuses a visit only if it was asked to stop");
    }
  }

  void play_guard(node& here) {
    const std::vector<int>& due = at(here.parts[0]).leaves_by;
    try {
      play(here.parts[0]);
      check(due.empty() || all_.stops_, "an exception gets to the waiter");
    } catch (const planted& thrown) {
      // A visit to a stopped pool throws none of its part's, so that a later one may be the first.
      check(all_.stops_ || std::ranges::find(due, thrown.number) != due.end(),
            "of several exceptions the right one comes out");
    } catch (const std::bad_alloc&) {
      check_refused();
    }
  }

  // -----------------------------------------------------------------------------------------------
  // tasks
  task<> task_of(int number) {
    switch (at(number).kind) {
      case piece::calls: return await_parts(number, token{alive_});
      case piece::forks: return fork_parts(number, token{alive_});
      case piece::sleeper: return sleep_first(number, token{alive_});
      case piece::spawner: return await_spawned(number, token{alive_});
      case piece::dropped: return drop_spawned(number, token{alive_});
      case piece::nursery:
      case piece::cut: return await_scope(number, token{alive_});
      case piece::contended: return contend(number, token{alive_});
      case piece::gated: return go_through_any_gate(number);
      case piece::piped: return await_piped(number, token{alive_});
      case piece::timed: return await_for_a_while(number, token{alive_});
      case piece::moved: return await_elsewhere(number, token{alive_});
      default: return call(number, token{alive_});
    }
  }
  task<> part_of(int number) { return task_of(at(number).parts[0]); }
  /// A spawned task begins between two jobs.
  task<> root_of(int number, token) {
    begin_root();
    arrive(number);
    co_await task_of(number);
  }
  /// No task awaits it.
  task<> dropped_root_of(int number, token) {
    begin_root();
    arrive(number);
    try {
      co_await task_of(number);
    } catch (const std::bad_alloc&) {
      check_refused();
    }
  }
  [[gnu::noinline]] static void begin_root() {
    check(innermost == -1, "a spawned task begins between two jobs");
  }

  task<> call(int number, token) {
    play(number);
    co_return;
  }
  task<> await_parts(int number, token) {
    begin(number);
    for (const int each : at(number).parts) {
      co_await task_of(each);
      goes_on(number);
    }
  }
  template <class T>
  static void reserve(std::vector<T>& for_us, std::size_t count) {
    const plenty here;
    for_us.reserve(count);
  }
  task<> fork_parts(int number, token) {
    begin(number);
    std::vector<co::forked<>> begun;
    reserve(begun, at(number).parts.size());
    for (const int each : at(number).parts) {
      task<> child = task_of(each);
      at(each).expected = fate::once;
      begun.push_back(co_await co::fork(std::move(child)));
      goes_on(number);
    }
    co_await co::join;
    goes_on(number);
  }
  task<> sleep_first(int number, token) {
    begin(number);
    co_await sleep_for(std::chrono::microseconds(number));
    goes_on(number);
    co_await co::yield();
    goes_on(number);
    co_await part_of(number);
  }
  task<> await_spawned(int number, token) {
    begin(number);
    try {
      const int part = at(number).parts[0];
      join_handle<> begun = hand(part, [&] { return spawn(root_of(part, token{alive_})); });
      co_await std::move(begun);
    } catch (const pool_stopped&) {
      check_stops();
    }
    goes_on(number);
  }
  task<> drop_spawned(int number, token) {
    begin(number);
    thread_pool& pool = number % 2 == 0 && !all_.drains_ ? *home_ : *other_;
    try {
      const int part = at(number).parts[0];
      hand(part, [&] { spawn(pool, dropped_root_of(part, token{alive_})).detach(); });
    } catch (const pool_stopped&) {
      check_stops();
    }
    co_return;
  }

  /// Hands a part to a scope. If one child fails for want of memory, those not yet begun do not
  /// run.
  template <class Call>
  void hand_to_scope(int part, Call&& call) {
    hand(part, call);
    if (lacks_memory()) at(part).said = answer::none;
  }
  /// A scope that has been told to end if the pool refuses a child.
  void add_to(co::scope& children, task<> child) {
    try {
      children.spawn(std::move(child));
    } catch (const pool_stopped&) {
      check_stops();
      children.cancel();
    }
  }
  task<> join_all(int number, co::scope& children) {
    try {
      co_await children.join();
    } catch (const pool_stopped&) {
      check_stops();
    }
    goes_on(number);
  }
  task<> await_scope(int number, token) {
    begin(number);
    const node& here = at(number);
    co::scope children{co_await co::get_stop_token()};
    for (std::size_t i = 0; i < here.parts.size(); ++i) {
      if (here.kind == piece::cut && i == here.parts.size() / 2) children.cancel();
      hand_to_scope(here.parts[i],
                    [&] { add_to(children, root_of(here.parts[i], token{alive_})); });
    }
    co_await join_all(number, children);
  }

  struct contested {
    async_mutex lock;
    int holders = 0;
  };
  task<> hold(int number, contested& what, token) {
    begin_root();
    arrive(number);
    const async_lock held = co_await what.lock.lock();
    const token holds{what.holders};
    check(what.holders == 1, "one holds a lock at a time");
    co_await task_of(number);
  }
  task<> contend(int number, token) {
    begin(number);
    contested what;
    co::scope children{co_await co::get_stop_token()};
    for (const int each : at(number).parts) {
      hand_to_scope(each, [&] { add_to(children, hold(each, what, token{alive_})); });
    }
    co_await join_all(number, children);
  }

  template <class Gate>
  task<> pass(int number, Gate& by, std::size_t nth, token) {
    begin_root();
    arrive(number);
    co_await by.enter(nth);
    co_await task_of(number);
    co_await by.leave(nth);
  }
  template <class Gate>
  static task<> help_at(Gate& with, token) {
    begin_root();
    co_await with.help();
  }
  template <class Gate>
  task<> go_through(int number, token) {
    begin(number);
    const std::vector<int>& parts = at(number).parts;
    Gate gate{parts.size()};
    co::scope children{co_await co::get_stop_token()};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      hand_to_scope(parts[i], [&] { add_to(children, pass(parts[i], gate, i, token{alive_})); });
    }
    add_to(children, help_at(gate, token{alive_}));
    co_await join_all(number, children);
  }
  task<> go_through_any_gate(int number) {
    switch (number % 10) {
      case 0: return go_through<gates::by_permits>(number, token{alive_});
      case 1: return go_through<gates::by_shares>(number, token{alive_});
      case 2: return go_through<gates::by_event>(number, token{alive_});
      case 3: return go_through<gates::by_latch>(number, token{alive_});
      case 4: return go_through<gates::by_barrier>(number, token{alive_});
      case 5: return go_through<gates::by_condition>(number, token{alive_});
      case 6: return go_through<gates::by_select>(number, token{alive_});
      case 7: return go_through<gates::by_broadcast>(number, token{alive_});
      case 8: return go_through<gates::by_oneshots>(number, token{alive_});
      default: return go_through<gates::by_ticks>(number, token{alive_});
    }
  }

  task<> send_parts(int number, channel<int>& to, token) {
    begin_root();
    for (const int each : at(number).parts) {
      try {
        check(co_await to.send(each) == send_result::sent, "an open channel takes what is sent");
      } catch (...) {
        at(each).said = answer::refused;
        throw;
      }
    }
    to.close();
  }
  task<> await_received(channel<int>& from, token) {
    begin_root();
    while (const std::optional<int> each = co_await from.receive()) {
      arrive(*each);
      co_await task_of(*each);
    }
  }
  task<> await_piped(int number, token) {
    begin(number);
    channel<int> numbers{static_cast<std::size_t>(number % 3)};
    co::scope children{co_await co::get_stop_token()};
    add_to(children, send_parts(number, numbers, token{alive_}));
    for (int i = 0; i < 2; ++i) add_to(children, await_received(numbers, token{alive_}));
    co_await join_all(number, children);
  }

  task<> await_for_a_while(int number, token) {
    begin(number);
    try {
      co_await with_timeout(root_of(at(number).parts[0], token{alive_}),
                            std::chrono::microseconds(number));
    } catch (const pool_stopped&) {
      check_stops();
    }
    goes_on(number);
  }
  task<> await_elsewhere(int number, token) {
    begin(number);
    // A root of its own: a task inside a fork stays in its pool
    co_await spawn(move_there_and_back(number, token{alive_}));
    goes_on(number);
  }
  task<> move_there_and_back(int number, token) {
    begin_root();
    thread_pool& before = pool_here();
    co_await co::schedule_on(&before == home_ ? *other_ : *home_);
    goes_on(number);
    co_await part_of(number);
    co_await co::schedule_on(before);
    goes_on(number);
  }
  void check_stops() const {
    check(all_.stops_, "a pool refuses tasks only if it was asked to stop");
  }

  random_program& all_;
  std::optional<scarce_memory> memory_;
  thread_pool* home_ = nullptr;
  thread_pool* other_ = nullptr;
  int alive_ = 0;
  bool is_over_ = false;
};

void random_program::run() { program_run{*this}.run(); }

}  // namespace filch::testing
