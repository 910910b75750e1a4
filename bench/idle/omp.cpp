// With the settings that OpenMP has if no variable of the environment says otherwise, so with the
// runtime's own choice of how long a thread spins before it sleeps.
#include <bench/idle/problem.hpp>

namespace {

struct omp_team {
  int count;

  void work() const {
    const int threads = count;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < bench::idle::iterations; ++i) bench::idle::iteration(i);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::idle::as("omp"));
  me.require(me.size() > 0 && me.variant() == "quiet",
             "--size counts seconds, from 1 on, and --case must be quiet: OpenMP has no submit");
  const omp_team team{static_cast<int>(me.workers())};
  for (unsigned i = 0; i != me.repeat(); ++i) bench::idle::measure_quiet(me, team);
  return me.exit_status();
}
