#include <bench/channel/filch.hpp>
#include <bench/harness/contender.hpp>

using namespace bench::channel;

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "channel",
                       .peer = "filch",
                       .size = default_values,
                       .variant = default_receivers});
  const parameters given = asked_for(me.size<std::uint64_t>(), me.variant());
  me.require(given.receivers != 0, case_rule);
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  me.measure(
      given, [&](const parameters& p) { return filch::block_on(filch::spawn(pool, on_filch(p))); },
      check);
  return me.exit_status();
}
