// A deadline around a loop of minutes, in a pool whose only worker runs it.
#include <filch/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/prove/stopwatch.hpp>

#include <algorithm>
#include <chrono>

namespace filch::cli::prove {

namespace {

constexpr std::chrono::milliseconds limit{10};
constexpr int bodies = 10'000'000;  // of 10 us

void compute(int) {
  for (const std::uint64_t begin = base::now_ns(); base::now_ns() - begin < 10'000;)
    base::cpu_relax();
}

task<> compute_long() { parallel_for(with(co_await co::get_stop_token()), 0, bodies, compute); }

/// By how much the latest of some deadlines was exceeded, in milliseconds.
template <class F>
double latest_ms(F&& run) {
  std::uint64_t latest_ns = 0;
  for (int i = 0; i < 20; ++i) latest_ns = std::max(latest_ns, ns_of(run));
  return static_cast<double>(latest_ns) * 1e-6 -
         std::chrono::duration<double, std::milli>(limit).count();
}

}  // namespace

proof deadlines_hold() {
  thread_pool pool{{.workers = 1}};
  const double loop_ms = latest_ms([&] {
    FILCH_TRY {
      pool.run([] { parallel_for(with(time_limit{limit}), 0, bodies, compute); });
    }
    catch (const stopped&) {
    }
  });
  const double task_ms = latest_ms([&] { block_on(pool, with_timeout(compute_long(), limit)); });
  return {loop_ms < 50 && task_ms < 50,
          fmt::format("A pool of one worker runs loops of 100 s with a limit of {} ms. The latest "
                      "of 20 ended {:.1f} ms after "
                      "that; the latest of 20 tasks with a timeout ended {:.1f} ms after.",
                      limit.count(), loop_ms, task_ms)};
}

}  // namespace filch::cli::prove
