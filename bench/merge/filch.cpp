#include <bench/merge/problem.hpp>
#include <filch/filch.hpp>

namespace {

struct on_filch {
  filch::thread_pool pool;
  void merge(const auto& left, const auto& right, auto& out) {
    filch::merge(filch::with(pool), left, right, out.begin());
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::merge::as("filch"));
  on_filch peer{.pool = filch::thread_pool(filch::pool_options{.workers = me.workers()})};
  peer.pool.warm_up();
  bench::merge::measure(me, peer);
  return me.exit_status();
}
