#include <bench/words/entry.hpp>

using namespace bench::words;

namespace {

tally on_omp(const std::vector<file>& files, unsigned workers) {
  tally all;
#pragma omp parallel num_threads(workers)
  {
    tally mine;
#pragma omp for schedule(dynamic) nowait
    for (std::size_t i = 0; i < files.size(); ++i) count_file(files[i], mine);
#pragma omp critical
    all.join(std::move(mine));
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  on_omp({}, me.workers());  // the team's threads are kept for the next
  measure(me, [&](const std::vector<file>& files) { return on_omp(files, me.workers()); });
  return me.exit_status();
}
