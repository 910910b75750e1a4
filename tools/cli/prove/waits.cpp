// Joins in the middle of a critical section. A wait that ran another job there could meet one that wants the same lock (rayon#592).
#include <filch/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/report.hpp>

#include <mutex>

namespace filch::cli::prove {

namespace {

thread_local bool holds_the_lock = false;

std::uint64_t busy_recursion(int depth) {
  if (depth == 0) {
    std::uint64_t value = 1;
    for (int i = 0; i != 20'000; ++i) value = value * 31 + 7;
    return value;
  }
  const auto [left, right] = join([=] { return busy_recursion(depth - 1); }, [=] { return busy_recursion(depth - 1); });
  return left + 31 * right;
}

struct critical_section {
  std::mutex mutex;
  std::uint64_t entered = 0, digest = 0;
  base::atomic<std::uint64_t> met_itself{0};

  void enter() {
    if (holds_the_lock) {
      met_itself.fetch_add(1, base::relaxed);  // counted only
      return;
    }
    const std::lock_guard held{mutex};
    holds_the_lock = true;
    digest += busy_recursion(5);
    ++entered;
    holds_the_lock = false;
  }
};

}  // namespace

proof waits_run_only_their_own() {
  constexpr std::uint64_t jobs = 400;
  thread_pool pool{{.workers = 4}};
  critical_section section;
  pool.run([&] {
    parallel_for(with(grain_items{1}), std::uint64_t{0}, jobs, [&](std::uint64_t i) { i % 4 == 0 ? section.enter() : static_cast<void>(busy_recursion(1)); });
  });
  const std::uint64_t met = section.met_itself.load(base::relaxed);
  return {met == 0 && section.entered == jobs / 4,
          fmt::format("{} that fork and wait under one lock, among {}; {} had to wait for a thief: none of them ran a job that wants the lock.",
                      count_text(section.entered, "jobs"), count_text(jobs), count_text(pool.metrics().total.joins_stalled, "joins"))};
}

}  // namespace filch::cli::prove
