#include <bench/primes/entry.hpp>

using namespace bench::primes;

namespace {

/// The iterations cost more and more, so the schedule is the one that shrinks its chunks.
std::uint64_t on_omp(const parameters& p, unsigned workers) {
  std::uint64_t count = 0;
#pragma omp parallel for schedule(guided) reduction(+ : count) num_threads(workers)
  for (std::uint32_t number = 0; number < p.below; ++number) count += is_prime(number) ? 1 : 0;
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  on_omp({.below = 100}, me.workers());  // the team's threads are kept for the next
  measure(me, [&](const parameters& p) { return on_omp(p, me.workers()); });
  return me.exit_status();
}
