// The tasks of random programs.
#include <filch/testing/random_program_run_test.hpp>

#include <filch/testing/random_program_gates_test.hpp>
#include <filch/timers.hpp>

#include <chrono>
#include <new>

namespace filch::inline v0_2::testing {

task<> program_run::task_of(int number) {
  switch (at(number).kind) {
    case node_kind::calls: return await_parts(number, token{alive_});
    case node_kind::forks: return fork_parts(number, token{alive_});
    case node_kind::sleeper: return sleep_first(number, token{alive_});
    case node_kind::spawner: return await_spawned(number, token{alive_});
    case node_kind::dropped: return drop_spawned(number, token{alive_});
    case node_kind::nursery:
    case node_kind::cut: return await_scope(number, token{alive_});
    case node_kind::contended: return contend(number, token{alive_});
    case node_kind::gated: return go_through_any_gate(number);
    case node_kind::piped: return await_piped(number, token{alive_});
    case node_kind::timed: return await_for_a_while(number, token{alive_});
    case node_kind::moved: return await_elsewhere(number, token{alive_});
    default: return call(number, token{alive_});
  }
}

task<> program_run::part_of(int number) { return task_of(at(number).parts[0]); }

/// A spawned task begins between two jobs.
task<> program_run::root_of(int number, token) {
  begin_root();
  arrive(number);
  co_await task_of(number);
}

/// No task awaits it.
task<> program_run::dropped_root_of(int number, token) {
  begin_root();
  arrive(number);
  try {
    co_await task_of(number);
  } catch (const std::bad_alloc&) {
    check_refused();
  }
}

void program_run::begin_root() { check(innermost == -1, "a spawned task begins between two jobs"); }

task<> program_run::call(int number, token) {
  play(number);
  co_return;
}

task<> program_run::await_parts(int number, token) {
  begin(number);
  for (const int each : at(number).parts) {
    co_await task_of(each);
    goes_on(number);
  }
}

template <class T>
void program_run::reserve(std::vector<T>& for_us, std::size_t count) {
  const plenty here;
  for_us.reserve(count);
}

task<> program_run::fork_parts(int number, token) {
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

task<> program_run::sleep_first(int number, token) {
  begin(number);
  co_await sleep_for(std::chrono::microseconds(number));
  goes_on(number);
  co_await co::yield();
  goes_on(number);
  co_await part_of(number);
}

task<> program_run::await_spawned(int number, token) {
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

task<> program_run::drop_spawned(int number, token) {
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
void program_run::hand_to_scope(int part, Call&& call) {
  hand(part, call);
  if (lacks_memory()) at(part).said = answer::none;
}

/// A scope that has been told to end if the pool refuses a child.
void program_run::add_to(co::scope& children, task<> child) {
  try {
    children.spawn(std::move(child));
  } catch (const pool_stopped&) {
    check_stops();
    children.cancel();
  }
}

task<> program_run::join_all(int number, co::scope& children) {
  try {
    co_await children.join();
  } catch (const pool_stopped&) {
    check_stops();
  }
  goes_on(number);
}

task<> program_run::await_scope(int number, token) {
  begin(number);
  const node& here = at(number);
  co::scope children{co_await co::get_stop_token()};
  for (std::size_t i = 0; i < here.parts.size(); ++i) {
    if (here.kind == node_kind::cut && i == here.parts.size() / 2) children.cancel();
    hand_to_scope(here.parts[i], [&] { add_to(children, root_of(here.parts[i], token{alive_})); });
  }
  co_await join_all(number, children);
}

task<> program_run::hold(int number, contested& what, token) {
  begin_root();
  arrive(number);
  const async_lock held = co_await what.lock.lock();
  const token holds{what.holders};
  check(what.holders == 1, "one holds a lock at a time");
  co_await task_of(number);
}

task<> program_run::contend(int number, token) {
  begin(number);
  contested what;
  co::scope children{co_await co::get_stop_token()};
  for (const int each : at(number).parts) {
    hand_to_scope(each, [&] { add_to(children, hold(each, what, token{alive_})); });
  }
  co_await join_all(number, children);
}

template <class Gate>
task<> program_run::pass(int number, Gate& by, std::size_t nth, token) {
  begin_root();
  arrive(number);
  co_await by.enter(nth);
  co_await task_of(number);
  co_await by.leave(nth);
}

template <class Gate>
task<> program_run::help_at(Gate& with, token) {
  begin_root();
  co_await with.help();
}

template <class Gate>
task<> program_run::go_through(int number, token) {
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

task<> program_run::go_through_any_gate(int number) {
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

task<> program_run::send_parts(int number, channel<int>& to, token) {
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

task<> program_run::await_received(channel<int>& from, token) {
  begin_root();
  while (const std::optional<int> each = co_await from.receive()) {
    arrive(*each);
    co_await task_of(*each);
  }
}

task<> program_run::await_piped(int number, token) {
  begin(number);
  channel<int> numbers{static_cast<std::size_t>(number % 3)};
  co::scope children{co_await co::get_stop_token()};
  add_to(children, send_parts(number, numbers, token{alive_}));
  for (int i = 0; i < 2; ++i) add_to(children, await_received(numbers, token{alive_}));
  co_await join_all(number, children);
}

task<> program_run::await_for_a_while(int number, token) {
  begin(number);
  try {
    co_await with_timeout(root_of(at(number).parts[0], token{alive_}),
                          std::chrono::microseconds(number));
  } catch (const pool_stopped&) {
    check_stops();
  }
  goes_on(number);
}

task<> program_run::await_elsewhere(int number, token) {
  begin(number);
  // A root of its own: a task inside a fork stays in its pool
  co_await spawn(move_there_and_back(number, token{alive_}));
  goes_on(number);
}

task<> program_run::move_there_and_back(int number, token) {
  begin_root();
  thread_pool& before = pool_here();
  co_await co::schedule_on(&before == home_ ? *other_ : *home_);
  goes_on(number);
  co_await part_of(number);
  co_await co::schedule_on(before);
  goes_on(number);
}

}  // namespace filch::testing
