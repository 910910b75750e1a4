#pragma once
// Tasks that are counted while they wait, for the tests of the end of a pool.
#include <filch/co/task.hpp>
#include <filch/sync.hpp>

#include <atomic>
#include <thread>

namespace filch::inline v0_2 {

/// Counts those that have begun and ended.
struct visitors {
  std::atomic<int> inside{0};
  struct stay {
    explicit stay(visitors& of) noexcept : of_{of} { ++of_.inside; }
    ~stay() { --of_.inside; }
    visitors& of_;
  };
};

inline void await(const std::atomic<int>& count, int wanted) {
  while (count != wanted) std::this_thread::yield();
}

inline task<> receive(channel<int>& from, visitors& who) {
  const visitors::stay here{who};
  co_await from.receive();
}

}  // namespace filch
