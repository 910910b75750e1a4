#pragma once
// Trials in which one allocation is refused, each one in turn, or that one and all later ones. For
// programs whose `will_allocate` is `take`, and whose `will_release` is `give_back`.
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <new>
#include <system_error>
#include <thread>

namespace filch::inline v0_2::trials {

enum class refusal { one, all_from_there };

inline constexpr long never = std::numeric_limits<long>::max() / 2;
inline std::atomic<long> blocks_alive{0};
inline std::atomic<long> granted_until_refusal{never};
inline std::atomic<refusal> kind{refusal::one};

/// An allocation, which may be refused.
inline void take() {
  const long left = granted_until_refusal.fetch_sub(1);
  if (left == 0 || (left < 0 && kind == refusal::all_from_there)) throw std::bad_alloc();
  ++blocks_alive;
}
inline void give_back() noexcept { --blocks_alive; }

enum class ending { completed, bad_alloc, system_error, something_else };

/// How `f` ended.
template <class F>
ending ending_of(F&& f) {
  try {
    f();
    return ending::completed;
  } catch (const std::bad_alloc&) {
    return ending::bad_alloc;
  } catch (const std::system_error&) {
    return ending::system_error;
  } catch (...) {
    return ending::something_else;
  }
}

/// Runs the part of a trial during which allocations are refused.
struct disturbance {
  refusal what;
  long granted;
  bool* has_struck;

  template <class F>
  ending operator()(F&& f) const {
    kind = what;
    granted_until_refusal = granted;
    const ending end = ending_of(f);
    *has_struck = granted_until_refusal.exchange(never) < 0;
    return end;
  }
};

/// Calls `trial(disturbed)` again and again, refusing a later allocation each time, until there is
/// none left to refuse. A trial cleans up after itself: then no block of memory may be left.
template <class Trial>
void refuse_each(Trial&& trial) {
  for (const refusal what : {refusal::one, refusal::all_from_there}) {
    bool has_struck = false;
    trial(disturbance{what, never, &has_struck});  // allocates what is made once a process
    for (long granted = 0;; ++granted) {
      const long before = blocks_alive;
      trial(disturbance{what, granted, &has_struck});
      ASSERT_EQ(blocks_alive, before) << "leaked where " << granted << " allocations were granted";
      ASSERT_FALSE(testing::Test::HasFailure())
          << "where " << granted << " allocations were granted";
      if (!has_struck) break;
      ASSERT_LT(granted, 100'000) << "the program never gets through";
    }
  }
}

inline long fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// Waits until `count` is `wanted`. Gives up after twenty seconds in which this thread could have
/// run.
inline bool comes_to(const std::atomic<unsigned>& count, unsigned wanted) {
  constexpr int yields = 1000;
  for (int turn = 0; turn < yields + 20'000 && count < wanted; ++turn) {
    if (turn < yields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return count == wanted;
}

/// True if `pool` still does all its tasks, with all of its workers at once.
inline bool works(thread_pool& pool) {
  std::atomic<unsigned> ran{0};
  pool.submit([&] { ++ran; });
  const bool submitted = comes_to(ran, 1);
  const bool joined = pool.run([] { return fib(10); }) == 55;
  const unsigned all = pool.concurrency();
  std::atomic<unsigned> here{0};
  std::atomic<unsigned> met{0};
  task_group group(pool);
  for (unsigned i = 0; i < all; ++i) {
    group.run([&] {
      ++here;
      met += comes_to(here, all);
    });
  }
  group.wait();
  return submitted && joined && met == all;
}

}  // namespace filch::trials
