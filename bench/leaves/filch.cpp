#include <bench/leaves/problem.hpp>
#include <filch/filch.hpp>

namespace {

struct filch_pool {
  filch::thread_pool threads;

  template <class Left, class Right>
  void join(Left left, Right right) {
    threads.run([&] { filch::join(left, right); });
  }
  template <class F>
  void submit(F f) {
    threads.submit(f);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::leaves::as("filch"));
  filch_pool pool{filch::thread_pool(filch::pool_options{.workers = me.workers()})};
  bench::leaves::measure(me, pool);
  return me.exit_status();
}
