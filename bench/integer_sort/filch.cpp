#include <bench/integer_sort/problem.hpp>
#include <filch/filch.hpp>

namespace {

struct on_filch {
  filch::thread_pool pool;
  void sort(std::vector<std::uint64_t>& values) { filch::integer_sort(filch::with(pool), values); }
  void sort(std::vector<bench::integer_sort::record>& values) {
    filch::integer_sort(filch::with(pool), values, &bench::integer_sort::record::key);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::integer_sort::as("filch"));
  on_filch peer{.pool = filch::thread_pool(filch::pool_options{.workers = me.workers()})};
  peer.pool.warm_up();
  bench::integer_sort::measure(me, peer);
  return me.exit_status();
}
