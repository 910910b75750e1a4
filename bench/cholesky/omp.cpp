#include <bench/cholesky/entry.hpp>
#include <bench/harness/omp_threads.hpp>

using namespace bench::cholesky;

namespace {

void run_all(const std::vector<step>& steps, matrix& a) {
  for (const step& each : steps) {
    [[maybe_unused]] const double* const read[] = {a.tile(each.left), a.tile(each.right)};
    [[maybe_unused]] double* const written = a.tile(each.target);
    [[maybe_unused]] const int reads = each.reads;
#pragma omp task shared(a, each) depend(iterator(int i = 0       \
                                                 : reads),       \
                                        in                       \
                                        : *read[i]) depend(inout \
                                                           : *written)
    run(each, a);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me, [&](const std::vector<step>& steps, matrix& a) {
    threads.run([&] { run_all(steps, a); });
  });
  return me.exit_status();
}
