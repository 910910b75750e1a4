// What the threads of a pool take when there is nothing to do, as the kernel counts it.
#include <filch/filch.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/report.hpp>

#include <chrono>
#include <thread>

namespace filch::cli::prove {

namespace {

struct usage {
  double seconds = 0;
  long switches = 0;
};

usage of(int whom) {
  rusage counted{};
  ::getrusage(whom, &counted);
  const auto seconds = [](timeval time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(counted.ru_utime) + seconds(counted.ru_stime),
          counted.ru_nvcsw + counted.ru_nivcsw};
}

/// The usage of all threads but this one.
usage of_the_others() {
#if defined(RUSAGE_THREAD)
  const usage mine = of(RUSAGE_THREAD);
#else
  const usage mine;
#endif
  const usage all = of(RUSAGE_SELF);
  return {all.seconds - mine.seconds, all.switches - mine.switches};
}

}  // namespace

proof idle_workers_sleep() {
  using namespace std::chrono_literals;
  thread_pool pool;
  pool.warm_up();
  pool.run([] { parallel_for(0, 1'000, [](int) { std::this_thread::sleep_for(1us); }); });
  // For a second a worker still watches for more work
  std::this_thread::sleep_for(1500ms);
  const usage before = of_the_others();
  std::this_thread::sleep_for(2s);
  const usage after = of_the_others();
  const double seconds = after.seconds - before.seconds;
  const long switches = after.switches - before.switches;
  return {seconds < 2e-3 && switches == 0,
          fmt::format("Two seconds, from one and a half after the last job of a pool of {}: {} of "
                      "processor time, {}.",
                      count_text(pool.concurrency(), "workers"),
                      seconds > 0 ? seconds_text(seconds) : "none",
                      count_text(static_cast<std::uint64_t>(switches), "context switches"))};
}

}  // namespace filch::cli::prove
