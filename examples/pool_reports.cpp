// What a pool tells: where the caller is, what its workers did, why it takes no job, and that it
// hangs.
#include <filch/algo/parallel_for.hpp>
#include <filch/fork.hpp>
#include <filch/metrics.hpp>
#include <filch/starvation.hpp>
#include <filch/stop.hpp>
#include <filch/sync.hpp>
#include <filch/version.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>

namespace {

using namespace std::chrono_literals;

// [here]
// Where this thread computes, for a line of a log.
std::string here() {
  if (filch::this_pool() == nullptr) return "outside every pool";
  const unsigned worker = filch::worker_index();
  if (worker == filch::no_worker) return "alone, beside 1,024 other external threads";
  return "worker " + std::to_string(worker) + " of " +
         std::to_string(filch::this_pool()->concurrency());
}
// [here]

// [cancelled]
// Work that was called off is no failure: one catch for loops, tasks and pools that stop.
template <class Work>
std::string outcome_of(Work&& work) {
  try {
    std::forward<Work>(work)();
    return "done";
  } catch (const filch::pool_stopped&) {
    return "the pool takes no work";
  } catch (const filch::operation_cancelled& cancelled) {  // `stopped` or `co::cancelled`
    return cancelled.what();
  }
}
// [cancelled]

// [workers]
// Which worker has done how much, and how long wakes take.
void print_workers(const filch::thread_pool& pool) {
  const filch::metrics_snapshot now = pool.metrics();
  for (std::size_t i = 0; i < now.workers.size(); ++i) {
    const filch::worker_metrics& each = now.workers[i];
    if (each.jobs_run == 0) continue;
    const auto jobs = static_cast<unsigned long long>(each.jobs_run);
    std::printf("worker %zu: %llu jobs, %.4f s\n", i, jobs, each.seconds_working);
  }
}
double mean_wake_us(const filch::thread_pool& pool) {
  const filch::time_histogram wakes = pool.metrics().total.wake_latency;
  return wakes.count() == 0 ? 0 : wakes.sum_seconds * 1e6 / static_cast<double>(wakes.count());
}
// [workers]

// [starvation]
// Called after a second in which all threads of a pool waited while a job was queued.
std::binary_semaphore is_starved{0};

void log_starvation(const filch::starvation_report& of) noexcept {
  std::fprintf(stderr, "%s\n", filch::to_string(of).c_str());
  for (const filch::waiting_threads& each : of.waiting) {
    std::printf("%llu wait in %s\n", static_cast<unsigned long long>(each.count),
                each.where.c_str());
  }
  is_starved.release();
}

// The only thread waits for a job that no thread is left to begin: no spare may replace it.
bool starve() {
  filch::async_event done;
  filch::thread_pool pool({.workers = 1, .max_spares = 0, .on_starvation = log_starvation});
  pool.submit([&] {
    pool.submit([&] { done.set(); });
    filch::wait(done.wait());
  });
  const bool is_told = is_starved.try_acquire_for(20s);
  done.set();  // else the program would hang here
  return is_told;
}
// [starvation]

// [stop_report]
// The line for a log when a server ends.
std::string stop_and_tell(filch::thread_pool& pool) {
  const filch::stop_report left = pool.stop(10s);
  return filch::to_string(left);
}
// [stop_report]

// [version]
constexpr int version_number =
    FILCH_VERSION_MAJOR * 10'000 + FILCH_VERSION_MINOR * 100 + FILCH_VERSION_PATCH;
static_assert(version_number >= 200, "this program uses names of filch 0.2.0");

void print_version() { std::printf("filch %s\n", FILCH_VERSION); }
// [version]

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  print_version();
  filch::thread_pool pool({.workers = 2});
  bool is_right = check("outside", here() == "outside every pool");
  is_right &= check("inside", pool.run(here).ends_with(" of 2"));

  is_right &= check("done", outcome_of([] {}) == "done");
  std::atomic<long> tried{0};
  const std::string late = outcome_of([&] {
    const auto limit = filch::with(filch::time_limit{1ms});
    filch::parallel_for(limit, 0L, 1L << 60, [&](long) { ++tried; });
  });
  is_right &= check("cancelled", late == filch::stopped().what());

  filch::task_group jobs(pool);
  for (int i = 0; i < 100; ++i) jobs.run([] { std::this_thread::sleep_for(100us); });
  jobs.wait();
  print_workers(pool);
  std::printf("%.1f us a wake\n", mean_wake_us(pool));
  is_right &= check("starvation", starve());

  const std::string left = stop_and_tell(pool);
  is_right &= check("stop_report", left == "everything has ended");
  const std::string after = outcome_of([&] { pool.submit([] {}); });
  is_right &= check("pool_stopped", after == "the pool takes no work");
  return is_right ? 0 : 1;
}
