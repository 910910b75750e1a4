#pragma once
// Two leaves of 50 ms and nothing else: the fork whose other half must not be left to run after the first, whatever the pool
// was doing when it was made.
#include <bench/harness/contender.hpp>
#include <bench/harness/median.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

namespace bench::leaves {

inline constexpr identity as(const char* peer) { return {.problem = "leaves", .peer = peer, .size = 100, .variant = "parked"}; }

inline constexpr double leaf_seconds = 0.050;
inline constexpr double bar_seconds = 0.057;

/// Processor time of the calling thread: two leaves that share a core must not both count the other's time as their own.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline void burn(double seconds) {
  const double end = thread_seconds() + seconds;
  while (thread_seconds() < end) {
  }
}

/// A job that keeps the other worker busy until it is told when to stop.
class occupant {
 public:
  void operator()() {
    running_.store(true);
    while (now_seconds() < free_at_.load()) {
    }
    gone_.store(true);
  }
  void wait_until_running() const { wait_for(running_); }
  void wait_until_gone() const { wait_for(gone_); }
  void leave_at(double seconds) { free_at_.store(seconds); }

 private:
  static void wait_for(const std::atomic<bool>& flag) {
    while (!flag.load()) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  std::atomic<bool> running_{false};
  std::atomic<bool> gone_{false};
  std::atomic<double> free_at_{1e300};
};

/// `Pool` has `join(left, right)`, called from outside the pool, and `submit(f)`.
template <class Pool>
class trial {
 public:
  explicit trial(Pool& pool) : pool_(pool) {}

  /// The other worker has had nothing to do for longer than any watcher stays up.
  double parked() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    return timed_join(now_seconds());
  }

  /// The other worker has just finished something and looks for more.
  double searching() {
    pool_.join([] { burn(0.001); }, [] { burn(0.001); });
    return timed_join(now_seconds());
  }

  /// The other worker becomes idle a millisecond after the fork.
  double late() {
    occupant other;
    pool_.submit([&other] { other(); });
    other.wait_until_running();
    const double start = now_seconds();
    other.leave_at(start + 0.001);
    const double seconds = timed_join(start);
    other.wait_until_gone();
    return seconds;
  }

 private:
  double timed_join(double start) {
    pool_.join([] { burn(leaf_seconds); }, [] { burn(leaf_seconds); });
    return now_seconds() - start;
  }
  Pool& pool_;
};

/// Repeats the case `--size` times and reports the share that ended within the bar.
template <class Pool>
void measure(contender& me, Pool& pool) {
  using kind = double (trial<Pool>::*)();
  const std::string& name = me.variant();
  const kind run = name == "parked"      ? &trial<Pool>::parked
                   : name == "searching" ? &trial<Pool>::searching
                   : name == "late"      ? &trial<Pool>::late
                                         : nullptr;
  me.require(run != nullptr, "--case must be parked, searching or late");
  me.require(me.size() > 0, "--size counts the joins: it must be at least 1");
  trial<Pool> one(pool);
  one.searching();  // starts the threads
  std::vector<double> seconds;
  for (std::int64_t i = 0; i != me.size(); ++i) seconds.push_back((one.*run)());
  const auto in_time = std::count_if(seconds.begin(), seconds.end(), [](double s) { return s < bar_seconds; });
  me.report({{"in_time_percent", 100.0 * static_cast<double>(in_time) / static_cast<double>(seconds.size())},
             {"seconds", median(seconds)},
             {"worst_seconds", *std::max_element(seconds.begin(), seconds.end())}},
            "");
}

}  // namespace bench::leaves
