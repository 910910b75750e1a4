#include <bench/harness/contender.hpp>
#include <bench/harness/filch_counters.hpp>
#include <bench/skynet/filch.hpp>

using namespace bench::skynet;

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "skynet", .peer = "filch", .size = parameters{}.leaves});
  const parameters given{.leaves = me.size<std::uint64_t>()};
  me.require(is_full_tree(given), size_rule);
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  me.measure(
      given, [&](const parameters& p) { return pool.run([&] { return on_filch(p); }); }, check);
  return me.exit_status();
}
