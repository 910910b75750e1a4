// A pool that counts processors, while the thread that made it may use fewer of them, and all of
// them again. Loops run from outside only: no worker looks for anything to do.
#include <filch/filch.hpp>
#include <filch/topo/affinity.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/prove/stopwatch.hpp>
#include <tools/cli/report.hpp>

#include <cstdlib>
#include <span>
#include <thread>

namespace filch::cli::prove {

namespace {

/// How long it takes, in seconds, until `pool` is of this width; ten at most.
double seconds_until(thread_pool& pool, unsigned width) {
  constexpr std::uint64_t most_ns = 10'000'000'000;
  return static_cast<double>(ns_of([&] {
           for (const std::uint64_t end = base::now_ns() + most_ns;
                pool.concurrency() != width && base::now_ns() < end;) {
             pool.run([] { parallel_for(0, 1000, [](int) { base::cpu_relax(); }); });
             std::this_thread::sleep_for(std::chrono::milliseconds(1));
           }
         })) *
         1e-9;
}

proof follow_both_ways() {
  const std::vector<unsigned> all = topo::current_affinity();
  thread_pool pool;
  const unsigned width = pool.concurrency();
  if (width == 1) return {true, "One processor here: there is nothing to follow."};
  topo::set_current_affinity(std::span{all}.first(1));
  const double narrowed = seconds_until(pool, 1);
  topo::set_current_affinity(all);
  const double widened = seconds_until(pool, width);
  return {narrowed < 2 && widened < 2,
          fmt::format("A pool of {} has a width of 1 {:.1f} s after its maker is bound to one "
                      "processor, and of {} {:.1f} s after it "
                      "may use all.",
                      width, narrowed, width, widened)};
}

}  // namespace

proof width_follows_both_ways() {
  if (std::getenv("FILCH_WORKERS") != nullptr)
    return {true, "FILCH_WORKERS decides here: there is nothing to follow."};
  proof found;
  std::thread{[&] { found = follow_both_ways(); }}.join();  // a mask of its own
  return found;
}

}  // namespace filch::cli::prove
