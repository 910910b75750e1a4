#include <filch/testing/random_program_run_test.hpp>

#include <filch/sched/worker/scheduler.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <system_error>

namespace filch::inline v0_2::testing {
namespace {

struct planted {
  int number;
};

}  // namespace

void program_run::run() {
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

void program_run::play_all() {
  std::vector<std::unique_ptr<thread>> threads;
  std::optional<thread> knocks;
  {
    const plenty here;
    if (lacks_memory() && all_.has_tasks_) knocks.emplace("knocks", [this] { knock_until_over(); });
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

/// Makes a pool, at the second attempt if the first one gets no memory.
thread_pool& program_run::make(std::optional<thread_pool>& room, const pool_options& wanted) {
  try {
    return room.emplace(wanted);
  } catch (const std::bad_alloc&) {
    const plenty here;
    return room.emplace(wanted);
  }
}

/// In place of the explorer's, which would give its memory back only after the run.
void program_run::make_default(std::optional<thread_pool>& room) {
  base::current_simulation()->default_pool =
      &make(room, {.workers = 2, .max_spares = 256, .seed = seed()});
}

/// If a thread was refused, a task waits until another call asks for one; here there may be none.
void program_run::knock_until_over() {
  while (!is_over_) {
    nap(std::chrono::milliseconds(5));
    knock();
  }
}

void program_run::knock() {
  for (thread_pool* const each : {home_, other_, &default_pool()})
    each->core().parking().job_published(nullptr);
}

void program_run::check_that_pools_work() {
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

void program_run::check_all_arrived(const node& here) {
  for (const int each : here.parts)
    check(at(each).arrivals == 1, "a call that returns has run every part");
}

/// `call` runs all parts; or runs the first one, whose exception comes out; or throws before it
/// runs any, for want of memory in an external thread.
template <class Call>
void program_run::run_all_or_throw(const node& here, Call&& call) {
  const bool may_refuse = lacks_memory() && this_pool() == nullptr;
  try {
    call();
  } catch (...) {
    check(may_refuse || at(here.parts[0]).arrivals == 1, "what is thrown was thrown by a part");
    throw;
  }
  check_all_arrived(here);
}

// -------------------------------------------------------------------------------------------------
// plain functions
void program_run::play_any_root(int root) {
  try {
    play_root(root);
  } catch (const std::bad_alloc&) {
    check_refused();
    check(at(root).runs == 0, "nothing leaves a guard");
  }
}

void program_run::play_root(int root) {
  switch (root % 3) {
    case 0: play(root); break;
    case 1: home_->run([&] { play(root); }); break;
    default: join([&] { play(root); }, [] {}); break;
  }
}

void program_run::play(int number) {
  node& here = at(number);
  const being_played until_it_ends{*this, here};
  if (is_task(here.kind)) return block_on(task_of(number));
  begin(number);
  const inside now{number};
  const int* const thread_before = &innermost;
  play_parts(number, here);
  check(thread_before == &innermost && innermost == number, "a call returns on its thread");
}

void program_run::play_parts(int number, node& here) {
  const auto part = [&](std::size_t i) {
    return [this, next = here.parts[i], held = token{alive_}] {
      arrive(next);
      play(next);
    };
  };
  switch (here.kind) {
    case node_kind::leaf: point("leaf"); break;
    case node_kind::sequence:
      for (const int each : here.parts) play(each);
      break;
    case node_kind::join:
      run_all_or_throw(here, [&] {
        here.parts.size() == 2 ? void(join(part(0), part(1)))
                               : void(join(part(0), part(1), part(2)));
      });
      break;
    case node_kind::group:
    case node_kind::cancelled_group: play_group(here); break;
    case node_kind::chain: play_chain(here); break;
    case node_kind::loop:
      parallel_for(std::size_t{0}, here.parts.size(), [&](std::size_t i) { part(i)(); });
      check_all_arrived(here);
      break;
    case node_kind::broken_loop: play_broken_loop(here); break;
    case node_kind::reduction: play_reduction(here); break;
    case node_kind::blocked: run_all_or_throw(here, [&] { blocking(part(0)); }); break;
    case node_kind::submitted: play_submitted(number, here); break;
    case node_kind::visit: play_visit(here); break;
    case node_kind::thrown: throw planted{number};
    case node_kind::guard: play_guard(here); break;
    case node_kind::nap: nap(std::chrono::microseconds(number)); break;
    case node_kind::stop: other_->request_stop(); break;
    default: break;  // tasks are not played
  }
}

void program_run::play_group(node& here) {
  task_group group;
  for (std::size_t i = 0; i < here.parts.size(); ++i) {
    if (here.kind == node_kind::cancelled_group && i == here.parts.size() / 2) group.cancel();
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
        here.kind == node_kind::cancelled_group || may_fail(here) ? answer::none : answer::taken;
  }
  group.wait();
}

bool program_run::may_fail(const node& group) const noexcept {
  return lacks_memory() || !group.leaves_by.empty();
}

void program_run::play_chain(node& here) {
  task_group group;
  add_link(group, here, 0);
  group.wait();
}

void program_run::add_link(task_group& group, node& here, std::size_t i) {
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

void program_run::play_broken_loop(node& here) {
  parallel_for(std::size_t{0}, here.parts.size(), [&](std::size_t i) {
    play(here.parts[i]);
    if (i == 0) throw planted{here.parts.front()};
  });
}

void program_run::play_reduction(node& here) {
  const auto sum = parallel_reduce(
      std::size_t{0}, here.parts.size(), std::size_t{0},
      [&](std::size_t i) {
        play(here.parts[i]);
        return i + 1;
      },
      std::plus<>{});
  check(sum == here.parts.size() * (here.parts.size() + 1) / 2, "a reduction counts every part");
}

void program_run::play_submitted(int number, node& here) {
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

void program_run::play_detached(int number) {
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

void program_run::play_visit(node& here) {
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

void program_run::play_guard(node& here) {
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

void random_program::run() { program_run{*this}.run(); }

}  // namespace filch::testing
