#pragma once
// Two leaves of 50 ms and nothing else: the fork whose other half must not be left to run after the
// first, whatever the pool was doing when it was made. It is processor time, not wall time: two
// leaves on one core must not look like two on two.
#include <bench/harness/contender.hpp>
#include <bench/harness/median.hpp>

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace bench::leaves {

inline constexpr identity as(const char* peer) {
  return {.problem = "leaves", .peer = peer, .size = 100, .variant = "parked"};
}

inline constexpr double leaf_seconds = 0.050;
inline constexpr double bar_seconds = 0.057;

/// Processor time of the calling thread: two leaves that share a core must not both count the
/// other's time as their own.
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

/// For how long threads of this program have been ready to run while others had the processors; 0
/// if the system does not say.
inline double kept_waiting_seconds() {
  double sum = 0;
  std::error_code gone;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    double running_ns = 0, waiting_ns = 0;
    if (std::ifstream(each.path() / "schedstat") >> running_ns >> waiting_ns)
      sum += 1e-9 * waiting_ns;
  }
  return sum;
}

/// How long both leaves took together, and whether other programs took processor time from one of
/// them: two leaves that were given one processor disturbed each other, which is no excuse.
struct joined {
  double seconds = 0;
  bool is_disturbed = false;
  bool is_in_time() const { return seconds < bar_seconds; }
};

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
  joined parked() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    return timed_join(now_seconds());
  }

  /// The other worker has just finished something and looks for more.
  joined searching() {
    pool_.join([] { burn(0.001); }, [] { burn(0.001); });
    return timed_join(now_seconds());
  }

  /// The other worker becomes idle a millisecond after the fork.
  joined late() {
    occupant other;
    pool_.submit([&other] { other(); });
    other.wait_until_running();
    const double start = now_seconds();
    other.leave_at(start + 0.001);
    const joined both = timed_join(start);
    other.wait_until_gone();
    return both;
  }

 private:
  joined timed_join(double start) {
    constexpr double tolerated_seconds = 0.002;
    const double waited = kept_waiting_seconds();
    int left_cpu = -1, right_cpu = -1;
    const auto leaf = [](int& cpu) {
      burn(leaf_seconds);
      cpu = sched_getcpu();
    };
    pool_.join([&] { leaf(left_cpu); }, [&] { leaf(right_cpu); });
    const double seconds = now_seconds() - start;
    return {seconds, left_cpu != right_cpu && kept_waiting_seconds() - waited > tolerated_seconds};
  }
  Pool& pool_;
};

/// Repeats the case `--size` times and reports the share that ended within the bar.
template <class Pool>
void measure(contender& me, Pool& pool) {
  using kind = joined (trial<Pool>::*)();
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
  for (std::int64_t i = 0; i != me.size(); ++i) seconds.push_back((one.*run)().seconds);
  const auto in_time =
      std::count_if(seconds.begin(), seconds.end(), [](double s) { return s < bar_seconds; });
  me.report({{"in_time_percent",
              100.0 * static_cast<double>(in_time) / static_cast<double>(seconds.size())},
             {"seconds", median(seconds)},
             {"worst_seconds", *std::max_element(seconds.begin(), seconds.end())}},
            "");
}

}  // namespace bench::leaves
