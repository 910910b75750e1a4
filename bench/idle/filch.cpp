#include <bench/idle/problem.hpp>
#include <filch/filch.hpp>

namespace {

struct filch_pool {
  filch::thread_pool threads;

  void work() {
    threads.run([] { filch::parallel_for(0, bench::idle::iterations, bench::idle::iteration); });
  }
  void submit(auto f) { threads.submit(f); }
  void run(auto f) { threads.run(f); }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::idle::as("filch"));
  bench::idle::measure(
      me, filch_pool{filch::thread_pool(filch::pool_options{.workers = me.workers()})});
  return me.exit_status();
}
