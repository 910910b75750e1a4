#include <bench/harness/filch_counters.hpp>
#include <bench/skewed/problem.hpp>
#include <filch/filch.hpp>

#include <functional>

using namespace bench::skewed;

namespace {

std::uint64_t on_filch(const parameters& p) {
  return filch::parallel_reduce(
      std::uint64_t{0}, std::uint64_t{p.rounds.size()}, std::uint64_t{0},
      [&p](std::uint64_t i) { return element(p, i); }, std::plus<>{});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](const parameters& p) { return pool.run([&] { return on_filch(p); }); });
  return me.exit_status();
}
