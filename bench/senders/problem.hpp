#pragma once
// Senders: what a scheduler of P2300 asks of a pool: 10,000 detached starts from outside, 10,000
// uneven items in bulk, a chain of 8 hops, and the way there and back, in which a thread outside
// waits by a lock and a condition variable. `--case beside-...`: with another process that computes
// on one of the processors.
#include <bench/harness/contender.hpp>

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace bench::senders {

inline constexpr identity as(const char* peer) {
  return {.problem = "senders", .peer = peer, .size = 2000, .variant = "round_trip"};
}
inline constexpr std::string_view beside = "beside-";
inline constexpr const char* case_rule =
    "--case is starts, bulk, hops or round_trip, perhaps after beside-, and --size how often";

/// A thread outside waits here, as in P2300: by a lock and a condition variable.
class latch {
 public:
  explicit latch(std::int64_t count) noexcept : left_{count} {}
  void count_down() {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const std::lock_guard guard{lock_};
    is_over_ = true;
    over_.notify_one();
  }
  void wait() {
    std::unique_lock guard{lock_};
    over_.wait(guard, [&] { return is_over_; });
  }

 private:
  std::atomic<std::int64_t> left_;
  bool is_over_ = false;
  std::mutex lock_;
  std::condition_variable over_;
};

/// A process that computes all the time on the first processor that this one may use.
class busy_process {
 public:
  busy_process() : id_{::fork()} {
    if (id_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_set_t allowed, first;
    ::sched_getaffinity(0, sizeof allowed, &allowed);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &allowed)) ++cpu;
    CPU_ZERO(&first);
    CPU_SET(cpu, &first);
    ::sched_setaffinity(0, sizeof first, &first);
    for (volatile std::uint64_t count = 0;;) count = count + 1;
  }
  busy_process(const busy_process&) = delete;
  busy_process& operator=(const busy_process&) = delete;
  ~busy_process() {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }

 private:
  pid_t id_;
};

/// Some 5 to 50 ns, in no order.
inline std::uint64_t uneven_item(std::uint64_t i) {
  std::uint64_t value = i * 0x9e3779b97f4a7c15U;
  for (std::uint64_t left = value >> 59; left != 0; --left) {
    value = value * 6364136223846793005U + 1442695040888963407U;
  }
  return value;
}
inline constexpr std::uint64_t bulk_items = 10'000;
inline constexpr unsigned hop_count = 8;
inline constexpr std::int64_t starts_at_once = 10'000;

/// So many jobs, none of which is waited for but by the last.
template <class Pool>
void start_many(Pool& pool) {
  latch all{starts_at_once};
  for (std::int64_t i = 0; i != starts_at_once; ++i) pool.submit([&all] { all.count_down(); });
  all.wait();
}

/// `pool.bulk(count, item, done)` calls `item(i)` for all i, and then `done()`.
template <class Pool>
void do_in_bulk(Pool& pool, std::vector<std::uint64_t>& results) {
  latch end{1};
  const auto item = [&](std::uint64_t i) { results[i] = uneven_item(i); };
  pool.bulk(bulk_items, item, [&] { end.count_down(); });
  end.wait();
}

template <class Pool>
void hop_on(Pool& pool, latch& end, unsigned left) {
  if (left == 0) return end.count_down();
  pool.submit([&pool, &end, left] { hop_on(pool, end, left - 1); });
}
template <class Pool>
void hop(Pool& pool, unsigned hops) {
  latch end{1};
  hop_on(pool, end, hops);
  end.wait();
}

/// Reports the time of one round, and says whether the case is known.
template <class Pool>
bool measure_case(contender& me, Pool& pool, std::string_view name) {
  const auto rounds = me.size<std::uint64_t>();
  std::vector<std::uint64_t> results(bulk_items);
  const auto measure = [&](std::uint64_t count, auto&& round) {
    for (unsigned i = 0; i != me.repeat(); ++i) {
      const double seconds = seconds_of([&] {
        for (std::uint64_t left = count; left != 0; --left) round();
      });
      const std::uint64_t last = bulk_items - 1;
      const bool is_right = name != "bulk" || results[last] == uneven_item(last);
      const double each = seconds / static_cast<double>(count);
      me.report({{"seconds", each}}, is_right ? "" : "a wrong result");
    }
    return true;
  };
  if (name == "starts") return measure(rounds / 100 + 1, [&] { start_many(pool); });
  if (name == "bulk") return measure(rounds, [&] { do_in_bulk(pool, results); });
  if (name == "hops") return measure(rounds, [&] { hop(pool, hop_count); });
  return name == "round_trip" && measure(rounds, [&] { hop(pool, 1); });
}

/// `Pool{workers}`, made after the process beside it.
template <class Pool>
void measure(contender& me) {
  std::string_view name = me.variant();
  std::unique_ptr<busy_process> other;
  if (name.starts_with(beside)) {
    name.remove_prefix(beside.size());
    other = std::make_unique<busy_process>();
  }
  Pool pool{me.workers()};
  hop(pool, 1000);
  me.require(measure_case(me, pool, name), case_rule);
}

}  // namespace bench::senders
