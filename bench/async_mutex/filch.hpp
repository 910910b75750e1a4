#pragma once
#include <bench/async_mutex/problem.hpp>
#include <bench/declared_work.hpp>
#include <filch/co.hpp>
#include <filch/sync.hpp>

namespace bench::async_mutex {

inline filch::task<> take_turns(filch::async_mutex& lock, std::uint64_t& count,
                                std::uint64_t turns) {
  for (std::uint64_t i = 0; i != turns; ++i) {
    const filch::async_lock held = co_await lock.lock();
    ++count;
  }
}

inline filch::task<> hold_in_turn(filch::async_mutex& lock, std::uint64_t& count,
                                  std::uint64_t turns) {
  for (std::uint64_t i = 0; i != turns; ++i) {
    const filch::async_lock held = co_await lock.lock();
    co_await filch::co::yield();
    ++count;
  }
}

inline filch::task<std::uint64_t> on_filch(const parameters& p) {
  filch::async_mutex lock;
  std::uint64_t count = 0;
  filch::co::scope all;
  for (std::uint64_t i = 0; i != tasks; ++i)
    all.spawn(p.is_held ? hold_in_turn(lock, count, p.of_each())
                        : take_turns(lock, count, p.of_each()));
  co_await all.join();
  co_return count;
}

}  // namespace bench::async_mutex
