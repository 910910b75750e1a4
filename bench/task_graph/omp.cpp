#include <bench/harness/omp_threads.hpp>
#include <bench/task_graph/entry.hpp>

using namespace bench::task_graph;

namespace {

/// OpenMP keeps no graph: each run makes the tasks anew. `result[i]` is what task `i` would leave,
/// and others depend on it.
template <class Work>
void run(const shape& of, [[maybe_unused]] char* result, Work work) {
  for (std::uint32_t i = 0; i != of.nodes(); ++i) {
    [[maybe_unused]] const std::uint32_t* const earlier = of.begin(i);
    [[maybe_unused]] const auto count = static_cast<int>(of.end(i) - earlier);
#pragma omp task depend(iterator(int k = 0               \
                                 : count),               \
                        in                               \
                        : result[earlier[k]]) depend(out \
                                                     : result[i])
    work(i)();
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me, [&](const shape& of, auto work) {
    return [&of, &threads, work, results = std::vector<char>(of.nodes())]() mutable {
      threads.run([&] { run(of, results.data(), work); });
    };
  });
  return me.exit_status();
}
