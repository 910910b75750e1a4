#include <bench/async_mutex/filch.hpp>
#include <bench/harness/contender.hpp>

using namespace bench::async_mutex;

int main(int argc, char** argv) {
  bench::contender me(
      argc, argv,
      {.problem = "async_mutex", .peer = "filch", .size = default_turns, .variant = default_case});
  const parameters given{me.size<std::uint64_t>(), me.variant() == "held"};
  me.require(is_sound(given.turns, me.variant()), case_rule);
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  me.measure(
      given, [&](const parameters& p) { return filch::block_on(filch::spawn(pool, on_filch(p))); },
      check);
  return me.exit_status();
}
