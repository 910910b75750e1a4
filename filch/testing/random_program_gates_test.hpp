#pragma once
// Primitives that the children of a scope in a random program pass. A child calls `enter(nth)`
// before its part and `leave(nth)` after it; `help()` is a child of its own, which lets the others
// go on. If a child fails, the scope asks all others to stop, so they need not release anything.
#include <filch/co.hpp>
#include <filch/sync.hpp>
#include <filch/testing.hpp>
#include <filch/timers.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

namespace filch::inline v0_2::testing::gates {

/// The most children of a scope.
inline constexpr std::size_t most = 8;

struct gate {
  explicit gate(std::size_t children) noexcept : count{static_cast<int>(children)} {}
  static task<> nothing() { co_return; }
  static task<> enter(std::size_t) { return nothing(); }
  static task<> leave(std::size_t) { return nothing(); }
  static task<> help() { return nothing(); }
  const int count;
  int here = 0;
};

struct by_permits : gate {
  using gate::gate;
  async_semaphore permits{2};

  task<> enter(std::size_t) {
    (co_await permits.acquire()).detach();
    check(++here <= 2, "no more hold a permit than there are");
  }
  task<> leave(std::size_t) {
    --here;
    permits.put_back();
    co_return;
  }
};

struct by_shares : gate {
  using gate::gate;
  async_shared_mutex lock;
  async_shared_mutex::lock_alone alone;
  std::array<async_shared_mutex::lock_of_several, most> shares;

  static bool is_alone(std::size_t nth) noexcept { return nth % 3 == 0; }
  task<> enter(std::size_t nth) {
    if (is_alone(nth)) {
      auto held = co_await lock.lock();
      check(here++ == 0, "an exclusive owner is alone");
      alone = std::move(held);
    } else {
      auto held = co_await lock.lock_shared();
      check(++here > 0 && !alone, "no sharer stands beside an exclusive owner");
      shares[nth] = std::move(held);
    }
  }
  task<> leave(std::size_t nth) {
    --here;
    is_alone(nth) ? alone.unlock() : shares[nth].unlock();
    co_return;
  }
};

struct by_event : gate {
  using gate::gate;
  async_event event;

  task<> enter(std::size_t) {
    co_await event.wait();
    check(event.is_set(), "nobody passes before it is set");
  }
  task<> help() {
    co_await co::yield();
    event.set();
  }
};

struct by_latch : gate {
  explicit by_latch(std::size_t children) noexcept : gate{children}, latch{children} {}
  async_latch latch;

  task<> leave(std::size_t) {
    ++here;
    latch.count_down();
    co_return;
  }
  task<> help() {
    co_await latch.wait();
    check(here == count, "a latch ends after the last");
  }
};

struct by_barrier : gate {
  explicit by_barrier(std::size_t children) noexcept : gate{children}, barrier{children} {}
  async_barrier barrier;

  task<> meet() {
    const int meeting = here / count + 1;
    ++here;
    co_await barrier.arrive_and_wait();
    check(here >= meeting * count, "nobody goes before all have come");
  }
  task<> enter(std::size_t) { return meet(); }
  task<> leave(std::size_t) { return meet(); }
};

struct by_condition : gate {
  using gate::gate;
  async_mutex lock;
  async_condition more;

  task<> enter(std::size_t) {
    async_lock held = co_await lock.lock();
    while (here == 0) co_await more.wait(held);
    check(held && here-- > 0, "a waiter that returns has the lock");
  }
  task<> help() {
    for (int left = count; left > 0; --left) {
      async_lock held = co_await lock.lock();
      ++here;
      held.unlock();
      left % 2 == 0 ? more.notify_one() : more.notify_all();
    }
  }
};

/// A child that enters takes a token of either color. The helper sends each token to the channel
/// that has room or a waiter.
struct by_select : gate {
  explicit by_select(std::size_t children) noexcept
      : gate{children}, red{children % 2}, green{children / 2 % 2} {}
  channel<int> red, green;

  task<> enter(std::size_t) {
    const auto found = co_await select(red.receive(), green.receive());
    const std::optional<int> token =
        found.index == 0 ? std::get<0>(found.value) : std::get<1>(found.value);
    check(token && ((here ^= 1 << *token) & 1 << *token) != 0, "each token is received once");
  }
  task<> help() {
    for (int next = 0; next < count; ++next) {
      const auto done = co_await select(green.send(next), red.send(next));
      const send_result result =
          done.index == 0 ? std::get<0>(done.value) : std::get<1>(done.value);
      check(result == send_result::sent, "an open channel takes what is sent");
    }
  }
};

struct by_broadcast : gate {
  explicit by_broadcast(std::size_t children) : gate{children}, values{2} {
    for (std::size_t i = 0; i < children; ++i) by[i].emplace(values.subscribe());
  }
  broadcast<int> values;
  std::array<std::optional<broadcast<int>::receiver>, most> by;

  task<> enter(std::size_t nth) {
    int sum = 0, heard = 0;
    while (const auto got = co_await by[nth]->receive()) {
      heard += 1 + static_cast<int>(got.missed);
      sum += *got;
    }
    check(heard == 3 && sum <= 6 && sum > 3, "each value is received or counted as missed");
  }
  task<> help() {
    for (const int each : {1, 2, 3}) {
      check(static_cast<bool>(values.send(each)), "it is open");
      co_await co::yield();
    }
    values.close();
  }
};

struct by_oneshots : gate {
  using gate::gate;
  std::array<oneshot<int>, most> values;

  task<> enter(std::size_t nth) {
    const std::optional<int> got = co_await values[nth].receive();
    check(got == static_cast<int>(nth), "it brings what was sent");
  }
  task<> help() {
    for (int i = 0; i < count; ++i) {
      check(static_cast<bool>(values[static_cast<std::size_t>(i)].send(i)), "nobody else has sent");
      co_await co::yield();
    }
  }
};

struct by_ticks : gate {
  using gate::gate;

  static task<> enter(std::size_t nth) {
    const auto begin = co::now();
    const auto period = std::chrono::microseconds(1 + nth);
    interval beat{period};
    for (int i = 1; i <= 2; ++i) {
      const tick each = co_await beat.next();
      check(co::now() >= each.due && each.due >= begin + i * period, "a tick is never early");
    }
  }
};

}  // namespace filch::testing::gates
