#include <bench/harness/contender.hpp>
#include <bench/spawn/filch.hpp>

using namespace bench::spawn;

int main(int argc, char** argv) {
  bench::contender me(
      argc, argv,
      {.problem = "spawn", .peer = "filch", .size = default_tasks, .variant = default_case});
  const parameters given{me.size<std::uint64_t>(),
                         asked_for(me.variant(), me.size<std::uint64_t>())};
  me.require(given.how != way::none, case_rule);
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  me.measure(
      given, [&](const parameters& p) { return filch::block_on(filch::spawn(pool, on_filch(p))); },
      check);
  return me.exit_status();
}
