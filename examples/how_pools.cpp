// Pools, their threads and their jobs: programs of the pages in docs/guide/how.
#include <filch/algo/parallel_reduce.hpp>
#include <filch/fork.hpp>
#include <filch/metrics.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

// [threads]
long sum(const std::vector<int>& values) {
  return filch::parallel_reduce(values, 0L, std::identity{}, std::plus<>{});
}
long sum_on_four_threads(const std::vector<int>& values) {
  filch::configure_default_pool({.workers = 4});  // at the start of `main`
  return sum(values);
}
long sum_in_a_pool_of_two(const std::vector<int>& values) {
  filch::thread_pool pool({.workers = 2});
  return pool.run([&] { return sum(values); });  // forks inside belong to `pool`
}
long sum_on_four_threads_or_fewer(const std::vector<int>& values) {
  filch::thread_pool pool({.max_workers = 4});  // fewer if the CPU limits allow fewer
  return pool.run([&] { return sum(values); });
}
long sum_on_at_most_two(const std::vector<int>& values) {
  return filch::parallel_reduce(filch::with(filch::at_most{2}), values, 0L, std::identity{},
                                std::plus<>{});
}
// [threads]

// [containers]
void say_how_wide(const filch::thread_pool& pool) {
  // What the CPU quota, the cpuset and the affinity mask leave now; it changes with them.
  std::printf("%u jobs run at once", pool.concurrency());
  // A bound that does not change, for tables by `worker_index()`.
  std::printf(", workers are numbered below %u\n", pool.worker_capacity());
}
// [containers]

// [outside_threads]
// Each request comes on a thread of a web server, say. Its loop begins at once on that thread, and
// workers help if they have time.
long answer(int request) {
  return filch::parallel_reduce(
      0, 10'000, 0L, [=](int i) { return long{i} * request; }, std::plus<>{});
}
long answer_all(int requests) {
  std::atomic<long> sum{0};
  std::vector<std::thread> server;
  for (int i = 0; i < requests; ++i) server.emplace_back([&sum, i] { sum += answer(i); });
  for (std::thread& each : server) each.join();
  return sum;
}
// [outside_threads]

// [library]
// A library takes a pool and makes none. Its caller may pass one; else the loops run in the pool of
// the calling job, or outside of all pools in the default pool.
class brightness {
 public:
  explicit brightness(filch::thread_pool& pool = filch::pool_here()) : pool_{pool} {}
  long of(const std::vector<unsigned char>& pixels) const {
    return filch::parallel_reduce(filch::with(pool_), pixels, 0L, std::identity{}, std::plus<>{});
  }

 private:
  filch::thread_pool& pool_;  // outlives this
};
// [library]

// [blocking]
// A pool of one worker. Four jobs wait at the same time, as each lets another thread take its slot.
bool wait_side_by_side() {
  std::atomic<int> waiting{0}, most{0};
  filch::thread_pool pool({.workers = 1});
  filch::task_group requests(pool);
  for (int i = 0; i < 4; ++i) {
    requests.run([&] {
      const int now = filch::blocking([&] {  // a read, a query, a lock that is held for long
        const int here = ++waiting;
        for (int tries = 0; waiting < 4 && tries < 500; ++tries) std::this_thread::sleep_for(1ms);
        return here;
      });
      if (now > most) most = now;
    });
  }
  requests.wait();
  return most == 4;
}
// [blocking]

// [task_group]
struct folder {
  int files = 0;
  std::vector<folder> folders;
};

// Each job may start further jobs. How many there are is known at the end.
void count(const folder& in, filch::task_group& jobs, std::atomic<int>& files) {
  files += in.files;
  for (const folder& each : in.folders) jobs.run([&] { count(each, jobs, files); });
}
int count_files(const folder& root) {
  std::atomic<int> files{0};
  filch::task_group jobs;  // last: its jobs use what stands above
  count(root, jobs, files);
  jobs.wait();  // runs jobs that no worker has begun
  return files;
}
// [task_group]

// [metrics]
std::string page_for_prometheus(const filch::thread_pool& pool) {
  const filch::metrics_snapshot now = pool.metrics();
  std::printf("%llu jobs run, %llu ready, %.3f s working\n",
              static_cast<unsigned long long>(now.total.jobs_run),
              static_cast<unsigned long long>(now.ready_jobs), now.total.seconds_working);
  std::ostringstream page;
  filch::write_prometheus(page);  // all pools of the process
  return page.str();
}
// [metrics]

// [thread_options]
thread_local std::string scratch;

filch::pool_options named_and_pinned(std::atomic<int>& started) {
  filch::pool_options options;
  options.workers = 2;
  options.thread_name = "render";         // "render-0", "render-1"
  options.pin = filch::pinning::compact;  // each to one CPU, close together
  options.stack_bytes = 16 << 20;         // for deep recursion
  options.nice = 5;                       // other programs go first
  options.on_thread_start = [](unsigned, void* count) {
    scratch.reserve(1 << 16);
    ++*static_cast<std::atomic<int>*>(count);
  };
  options.thread_context = &started;
  return options;
}
bool start_threads() {
  std::atomic<int> started{0};
  filch::thread_pool pool(named_and_pinned(started));
  pool.warm_up();  // starts all threads now
  return started >= 2;
}
// [thread_options]

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  const std::vector<int> ones(100'000, 1);
  bool is_right = check("four threads", sum_on_four_threads(ones) == 100'000);
  is_right &= check("a pool of two", sum_in_a_pool_of_two(ones) == 100'000);
  is_right &= check("four or fewer", sum_on_four_threads_or_fewer(ones) == 100'000);
  is_right &= check("at most two", sum_on_at_most_two(ones) == 100'000);
  say_how_wide(filch::default_pool());
  is_right &= check("concurrency", filch::default_pool().concurrency() == 4);
  is_right &= check("outside_threads", answer_all(8) == 28L * 49'995'000);
  is_right &= check("library", brightness().of({1, 2, 3}) == 6);
  is_right &= check("blocking", wait_side_by_side());
  is_right &= check("task_group", count_files({1, {{2, {{3, {}}}}, {4, {}}}}) == 10);
  const std::string page = page_for_prometheus(filch::default_pool());
  is_right &= check("metrics", page.find("filch_") != std::string::npos);
  is_right &= check("thread_options", start_threads());
  return is_right ? 0 : 1;
}
