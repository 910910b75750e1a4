#pragma once
// How every contender with `std::async` forks. A fork is a thread of its own there, so it is one in
// the first levels of the recursion only: sixteen leaves a worker, which lets the kernel even out
// what the halves differ by. Below that the serial program runs.
#ifdef __linux__
#include <sched.h>
#endif

#include <bit>
#include <future>
#include <type_traits>

namespace bench {

class async_threads {
 public:
  /// There is no pool to limit; so the process keeps to that many of the processors that it may
  /// use.
  explicit async_threads(unsigned workers)
      : levels_(workers == 1 ? 0 : std::bit_width(16 * workers - 1)) {
#ifdef __linux__
    cpu_set_t usable, chosen;
    CPU_ZERO(&chosen);
    if (::sched_getaffinity(0, sizeof usable, &usable) != 0) return;
    for (int cpu = 0; cpu != CPU_SETSIZE && CPU_COUNT(&chosen) < static_cast<int>(workers); ++cpu) {
      if (CPU_ISSET(cpu, &usable)) CPU_SET(cpu, &chosen);
    }
    ::sched_setaffinity(0, sizeof chosen, &chosen);
#endif
  }

  /// How many levels of a recursion into halves are forked.
  unsigned levels() const { return levels_; }

 private:
  unsigned levels_;
};

/// Runs two halves, the second on a thread of its own, and returns the sum of what they return.
template <class First, class Second>
auto async_sum(const First& first, const Second& second) {
  std::future<std::invoke_result_t<const Second&>> other =
      std::async(std::launch::async, [&second] { return second(); });
  auto here = first();
  return here + other.get();
}

/// Runs two halves if the algorithm does not count its levels: each thread knows its own.
class async_forked {
 public:
  explicit async_forked(unsigned levels) : levels_(levels) {}

  template <class First, class Second>
  void operator()(const First& first, const Second& second) const {
    const unsigned level = level_of_thread;
    if (level == levels_) {
      first();
      second();
      return;
    }
    std::future<void> other = std::async(std::launch::async, [&second, level] {
      level_of_thread = level + 1;
      second();
    });
    level_of_thread = level + 1;
    first();
    level_of_thread = level;
    other.get();
  }

 private:
  inline static thread_local unsigned level_of_thread = 0;
  unsigned levels_;
};

}  // namespace bench
