#include <bench/harness/tbb_threads.hpp>
#include <bench/leaves/problem.hpp>

#include <oneapi/tbb/task_group.h>

namespace {

struct tbb_pool {
  bench::tbb_threads threads;

  template <class Left, class Right>
  void join(Left left, Right right) {
    threads.run([&] {
      oneapi::tbb::task_group group;
      group.run(right);
      left();
      group.wait();
    });
  }
  template <class F>
  void submit(F f) {
    threads.submit(f);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::leaves::as("tbb"));
  tbb_pool pool{bench::tbb_threads(me.workers())};
  bench::leaves::measure(me, pool);
  return me.exit_status();
}
