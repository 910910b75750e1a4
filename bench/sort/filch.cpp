#include <bench/sort/problem.hpp>
#include <filch/filch.hpp>

namespace {

struct on_filch {
  filch::thread_pool pool;
  void sort(auto& values) { filch::sort(filch::with(pool), values); }
  void stable_sort(auto& values) { filch::stable_sort(filch::with(pool), values); }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::sort::as("filch"));
  on_filch peer{.pool = filch::thread_pool(filch::pool_options{.workers = me.workers()})};
  peer.pool.warm_up();
  bench::sort::measure(me, peer);
  return me.exit_status();
}
