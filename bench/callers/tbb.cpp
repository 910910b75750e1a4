#include <bench/callers/problem.hpp>
#include <bench/harness/tbb_threads.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::callers::as("tbb"));
  bench::tbb_threads threads(me.workers());
  oneapi::tbb::task_arena low(static_cast<int>(me.workers()), 0,
                              oneapi::tbb::task_arena::priority::low);
  bench::callers::measure(
      me, [](int count, auto body) { oneapi::tbb::parallel_for(0, count, body); },
      [&](auto job) { low.enqueue(job); });
  return me.exit_status();
}
