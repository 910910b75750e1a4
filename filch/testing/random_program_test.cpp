#include <filch/testing/random_program_test.hpp>

#include <filch/co.hpp>
#include <filch/sched/simulated_cpus.hpp>
#include <filch/sync.hpp>
#include <filch/testing.hpp>
#include <filch/timers.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
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

// ---------------------------------------------------------------------------------------------------------- what it is
random_program::random_program(std::uint64_t seed, bool threads_may_fail)
    : random_{seed},
      threads_may_fail_{threads_may_fail},
      stops_{below(4) == 0},
      has_tasks_{!threads_may_fail && below(2) == 0},
      drains_{below(2) == 0},
      jobs_left_{50 + static_cast<int>(below(151))} {
  const std::uint32_t threads = 1 + below(3) / 2;
  do {
    for (std::uint32_t i = 0; i < threads; ++i) roots_.push_back(draw_inner(piece::guard, -1, 0, true));
  } while (jobs_left_ > 0 && roots_.size() < 4 * threads);
  for (const int root : roots_) expect(root, fate::once);
}

int random_program::add(piece kind, int parent) {
  nodes_.push_back({kind, parent, {}});
  return static_cast<int>(nodes_.size()) - 1;
}

int random_program::draw(int parent, int depth, bool may_throw) {
  if (--jobs_left_ <= 0 || depth > 7) return add(piece::leaf, parent);
  constexpr piece kinds[] = {piece::leaf,      piece::sequence,
                             piece::join,      piece::join,
                             piece::group,     piece::group,
                             piece::chain,     piece::loop,
                             piece::reduction, piece::guard,
                             piece::submitted, piece::visit,
                             piece::blocked,   piece::cancelled_group,
                             piece::nap,       piece::thrown,
                             piece::stop,      piece::broken_loop,  // from here on tasks
                             piece::calls,     piece::forks,
                             piece::forks,     piece::sleeper,
                             piece::spawner,   piece::dropped,
                             piece::nursery,   piece::contended,
                             piece::piped,     piece::cut,
                             piece::timed,     piece::moved};
  constexpr auto plain = static_cast<std::uint32_t>(std::ranges::find_if(kinds, is_task) - std::begin(kinds));
  const piece kind = kinds[below(has_tasks_ ? static_cast<std::uint32_t>(std::size(kinds)) : plain)];
  return may_draw(kind, may_throw) ? draw_inner(kind, parent, depth, may_throw) : add(piece::leaf, parent);
}

bool random_program::may_draw(piece kind, bool may_throw) const noexcept {
  switch (kind) {
    case piece::thrown:
    case piece::broken_loop: return may_throw;
    case piece::stop: return stops_;
    case piece::moved: return !stops_ && !drains_;  // or the pool that it is to go back to takes nobody, or is gone
    default: return true;
  }
}

namespace {

/// False: what came out would depend on who is faster, or nobody would see it.
bool hands_on_what_is_thrown(piece kind) noexcept {
  switch (kind) {
    case piece::sequence:
    case piece::join:
    case piece::group:
    case piece::blocked:
    case piece::visit:
    case piece::calls:
    case piece::forks:
    case piece::sleeper:
    case piece::spawner:
    case piece::moved: return true;
    default: return false;
  }
}

}  // namespace

int random_program::draw_inner(piece kind, int parent, int depth, bool may_throw) {
  const int at = add(kind, parent);
  std::uint32_t count = 0;
  switch (kind) {
    case piece::leaf:
    case piece::thrown:
    case piece::nap:
    case piece::stop: break;
    case piece::blocked:
    case piece::submitted:
    case piece::visit:
    case piece::sleeper:
    case piece::spawner:
    case piece::dropped:
    case piece::timed:
    case piece::moved:
    case piece::guard: count = 1; break;
    case piece::join:
    case piece::forks: count = 2 + below(2); break;
    case piece::calls:
    case piece::sequence: count = 1 + below(3); break;
    default: count = 1 + below(6); break;
  }
  const bool part_may_throw = kind == piece::guard || (may_throw && hands_on_what_is_thrown(kind));
  for (std::uint32_t i = 0; i < count; ++i) {
    const int part = kind == piece::broken_loop ? add(piece::leaf, at) : draw(at, depth + 1, part_may_throw);
    nodes_[static_cast<std::size_t>(at)].parts.push_back(part);
  }
  return at;
}

// ---------------------------------------------------------------------------------------------------------- what must come of it
std::optional<int> random_program::expect(int at, fate outer) {
  node& here = nodes_[static_cast<std::size_t>(at)];
  here.expected = outer;
  here.leaves_by = expect_parts(here, outer);
  return here.leaves_by;
}

std::optional<int> random_program::expect_parts(node& here, fate outer) {
  fate inner = outer;
  switch (here.kind) {
    case piece::thrown: return static_cast<int>(&here - nodes_.data());
    case piece::cancelled_group:
    case piece::cut:
    case piece::timed:
    case piece::broken_loop: inner = std::min(outer, fate::perhaps); break;
    case piece::submitted: inner = stops_ || threads_may_fail_ ? std::min(outer, fate::perhaps) : outer; break;
    case piece::spawner:
    case piece::dropped:
    case piece::nursery:
    case piece::contended:
    case piece::piped:
    case piece::visit: inner = stops_ ? std::min(outer, fate::perhaps) : outer; break;
    default: break;
  }
  std::optional<int> first;
  for (const int part : here.parts) {
    const std::optional<int> thrown = expect(part, inner);
    if (!first) first = thrown;
    // A visit to a stopped pool does not throw what its part would.
    if (thrown && (here.kind == piece::sequence || here.kind == piece::calls))
      inner = stops_ ? std::min(inner, fate::perhaps) : fate::never;
  }
  if (here.kind == piece::broken_loop) return here.parts.front();
  return here.kind == piece::guard ? std::nullopt : first;
}

// ---------------------------------------------------------------------------------------------------------- how it runs
class program_run {
 public:
  explicit program_run(random_program& what) : all_{what} {}

  void run() {
    {
      thread_pool home{{.workers = 1 + all_.below(4), .max_spares = all_.has_tasks_ ? 256 : all_.below(3), .seed = seed()}};
      thread_pool other{{.workers = 1 + all_.below(3), .seed = seed()}};
      home_ = &home;
      other_ = &other;
      std::vector<std::unique_ptr<thread>> threads;
      for (std::size_t i = 1; i < all_.roots_.size(); ++i) {
        threads.push_back(std::make_unique<thread>("outside", [this, root = all_.roots_[i]] { play_root(root); }));
      }
      play_root(all_.roots_.front());
      threads.clear();
      while (!all_.drains_ && alive_ != 0) nap(std::chrono::microseconds(100));
    }
    check(alive_ == 0, "every job that was made is destroyed");
    for (const node& each : all_.nodes_) {
      check(each.runs <= 1, "nothing runs twice");
      check(each.expected != fate::once || each.runs == 1, "what must run has run");
      check(each.expected != fate::never || each.runs == 0, "nothing runs after an exception");
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

  void play_root(int root) {
    switch (root % 3) {
      case 0: play(root); break;
      case 1: home_->run([&] { play(root); }); break;
      default: join([&] { play(root); }, [] {}); break;
    }
  }

  void play(int number) {
    node& here = at(number);
    if (is_task(here.kind)) return block_on(task_of(number));
    begin(number);
    const inside now{number};
    const int* const thread_before = &innermost;
    play_parts(number, here);
    check(thread_before == &innermost && innermost == number, "a call returns on its thread");
  }

  /// Not inline, where a coroutine might go by the thread that it has left.
  [[gnu::noinline]] void goes_on(int number) {
    check(is_part_of(number, innermost), "a wait runs only parts of what it waits for");
    check(cpus() == all_cpus_, "whoever runs may run on every CPU");
  }
  void begin(int number) {
    goes_on(number);
    ++at(number).runs;
  }

  void play_parts(int number, node& here) {
    const auto part = [&](std::size_t i) { return [this, next = here.parts[i], held = token{alive_}] { play(next); }; };
    switch (here.kind) {
      case piece::leaf: point("leaf"); break;
      case piece::sequence:
        for (const int each : here.parts) play(each);
        break;
      case piece::join: here.parts.size() == 2 ? void(join(part(0), part(1))) : void(join(part(0), part(1), part(2))); break;
      case piece::group:
      case piece::cancelled_group: play_group(here); break;
      case piece::chain: play_chain(here); break;
      case piece::loop: parallel_for(std::size_t{0}, here.parts.size(), [&](std::size_t i) { play(here.parts[i]); }); break;
      case piece::broken_loop: play_broken_loop(here); break;
      case piece::reduction: play_reduction(here); break;
      case piece::blocked: blocking(part(0)); break;
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
      group.run([this, next = here.parts[i], held = token{alive_}] { play(next); });
    }
    group.wait();
  }

  void play_chain(node& here) {
    task_group group;
    add_link(group, here, 0);
    group.wait();
  }
  void add_link(task_group& group, node& here, std::size_t i) {
    if (i == here.parts.size()) return;
    group.run([this, &group, &here, i, held = token{alive_}] {
      add_link(group, here, i + 1);
      play(here.parts[i]);
    });
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
      pool.submit([this, next = here.parts[0], held = token{alive_}] { play_detached(next); });
    } catch (const pool_stopped&) {
      check(all_.stops_, "a pool refuses work only if it was asked to stop");
    } catch (const std::system_error&) {
      check(all_.threads_may_fail_, "a submission fails only for want of a thread");
    }
  }
  void play_detached(int number) {
    check(innermost == -1, "a detached job begins between two jobs");
    innermost = at(number).parent;
    play(number);
    innermost = -1;
  }

  void play_visit(node& here) {
    try {
      (other_->is_current() ? home_ : other_)->run([&] { play(here.parts[0]); });
    } catch (const pool_stopped&) {
      check(all_.stops_, "a pool refuses a visit only if it was asked to stop");
    }
  }

  void play_guard(node& here) {
    const std::optional<int> due = at(here.parts[0]).leaves_by;
    try {
      play(here.parts[0]);
      check(!due || all_.stops_, "an exception gets to whoever waits");
    } catch (const planted& thrown) {
      // A visit to a stopped pool throws none of its part's, so that a later one may be the first.
      check(all_.stops_ || (due && thrown.number == *due), "of several exceptions the right one comes out");
    }
  }

  // -------------------------------------------------------------------------------------------------------- tasks
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
    co_await task_of(number);
  }
  [[gnu::noinline]] static void begin_root() { check(innermost == -1, "a spawned task begins between two jobs"); }

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
  task<> fork_parts(int number, token) {
    begin(number);
    std::vector<co::forked<>> begun;
    begun.reserve(at(number).parts.size());
    for (const int each : at(number).parts) {
      begun.push_back(co_await co::fork(task_of(each)));
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
      co_await spawn(root_of(at(number).parts[0], token{alive_}));
    } catch (const pool_stopped&) {
      check_stops();
    }
    goes_on(number);
  }
  task<> drop_spawned(int number, token) {
    begin(number);
    thread_pool& pool = number % 2 == 0 && !all_.drains_ ? *home_ : *other_;
    try {
      spawn(pool, root_of(at(number).parts[0], token{alive_})).detach();
    } catch (const pool_stopped&) {
      check_stops();
    }
    co_return;
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
      add_to(children, root_of(here.parts[i], token{alive_}));
    }
    co_await join_all(number, children);
  }

  struct contested {
    async_mutex lock;
    int holders = 0;
  };
  task<> hold(int number, contested& what, token) {
    begin_root();
    const async_lock held = co_await what.lock.lock();
    const token holds{what.holders};
    check(what.holders == 1, "one holds a lock at a time");
    co_await task_of(number);
  }
  task<> contend(int number, token) {
    begin(number);
    contested what;
    co::scope children{co_await co::get_stop_token()};
    for (const int each : at(number).parts) add_to(children, hold(each, what, token{alive_}));
    co_await join_all(number, children);
  }

  task<> send_parts(int number, channel<int>& to, token) {
    begin_root();
    for (const int each : at(number).parts)
      check(co_await to.send(each) == send_result::sent, "an open channel takes what is sent");
    to.close();
  }
  task<> await_received(channel<int>& from, token) {
    begin_root();
    while (const std::optional<int> each = co_await from.receive()) co_await task_of(*each);
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
      co_await with_timeout(root_of(at(number).parts[0], token{alive_}), std::chrono::microseconds(number));
    } catch (const pool_stopped&) {
      check_stops();
    }
    goes_on(number);
  }
  task<> await_elsewhere(int number, token) {
    begin(number);
    co_await spawn(move_there_and_back(number, token{alive_}));  // a root of its own: who is in a fork stays in its pool
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
  void check_stops() const { check(all_.stops_, "a pool refuses tasks only if it was asked to stop"); }

  static std::uint64_t cpus() noexcept { return sched::simulated::cpus(*base::current_simulation()); }

  random_program& all_;
  const std::uint64_t all_cpus_ = cpus();
  thread_pool* home_ = nullptr;
  thread_pool* other_ = nullptr;
  int alive_ = 0;
};

void random_program::run() { program_run{*this}.run(); }

}  // namespace filch::testing
