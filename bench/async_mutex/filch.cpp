#include <bench/async_mutex/problem.hpp>
#include <bench/harness/contender.hpp>
#include <filch/co.hpp>
#include <filch/sync.hpp>

namespace {

using namespace bench::async_mutex;

filch::task<> take_turns(filch::async_mutex& lock, std::uint64_t& count, std::uint64_t turns) {
  for (std::uint64_t i = 0; i != turns; ++i) {
    const filch::async_lock held = co_await lock.lock();
    ++count;
  }
}

filch::task<> hold_in_turn(filch::async_mutex& lock, std::uint64_t& count, std::uint64_t turns) {
  for (std::uint64_t i = 0; i != turns; ++i) {
    const filch::async_lock held = co_await lock.lock();
    co_await filch::co::yield();
    ++count;
  }
}

filch::task<std::uint64_t> count_together(const parameters& p) {
  filch::async_mutex lock;
  std::uint64_t count = 0;
  filch::co::scope all;
  for (std::uint64_t i = 0; i != tasks; ++i)
    all.spawn(p.is_held ? hold_in_turn(lock, count, p.of_each())
                        : take_turns(lock, count, p.of_each()));
  co_await all.join();
  co_return count;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(
      argc, argv,
      {.problem = "async_mutex", .peer = "filch", .size = default_turns, .variant = default_case});
  const parameters given{me.size<std::uint64_t>(), me.variant() == "held"};
  me.require(is_sound(given.turns, me.variant()), case_rule);
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  me.measure(
      given,
      [&](const parameters& p) { return filch::block_on(filch::spawn(pool, count_together(p))); },
      check);
  return me.exit_status();
}
