// A program of which half is a chain, by design: what an analysis of one serial run says of it.
#include <filch/analyze.hpp>
#include <filch/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>

namespace filch::cli::prove {

namespace {

std::uint64_t own_processor_ns() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(used.tv_nsec);
}

/// By the thread's own processor time, so that both halves stay halves if others compute, too.
void work_for(std::uint64_t ns) {
  for (const std::uint64_t end_ns = own_processor_ns() + ns; own_processor_ns() < end_ns;) {
  }
}

constexpr std::uint64_t half_ns = 20'000'000, leaves = 200;

void half_a_chain() {
  work_for(half_ns);
  parallel_for(with(grain_items{1}), std::uint64_t{0}, leaves,
               [](std::uint64_t) { work_for(half_ns / leaves); });
}

}  // namespace

proof reasons_are_told() {
  const analysis::result found = analyze(half_a_chain);
  const double by_design = 2.0 / (1 + 1.0 / leaves);
  const auto on_the_chain = std::ranges::max(found.sites, {}, &analysis::site::span_ns);
  const bool outside_of_forks = on_the_chain.forks == 0;
  return {outside_of_forks && std::abs(found.parallelism() / by_design - 1) < 0.1,
          fmt::format("Of a program of which half is a chain, one serial run tells: on any number "
                      "of workers at most {:.2f} times faster (by "
                      "design {:.2f}), and {:.0f} % of the longest chain lie outside of all forks.",
                      found.parallelism(), by_design, 100 * on_the_chain.span_ns / found.span_ns)};
}

}  // namespace filch::cli::prove
