#include <bench/group_by_key/problem.hpp>
#include <filch/filch.hpp>

namespace {

struct on_filch {
  filch::thread_pool pool;
  auto group(const std::vector<bench::group_by_key::record>& values) {
    return filch::group_by_key(filch::with(pool), values, &bench::group_by_key::record::key);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::group_by_key::as("filch"));
  on_filch peer{.pool = filch::thread_pool(filch::pool_options{.workers = me.workers()})};
  peer.pool.warm_up();
  bench::group_by_key::measure(me, peer);
  return me.exit_status();
}
