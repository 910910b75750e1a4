#include <bench/deadlines/problem.hpp>
#include <filch/algo.hpp>
#include <filch/co.hpp>
#include <filch/timers.hpp>

namespace {

using namespace bench::deadlines;

void loop_in_time() {
  try {
    filch::parallel_for(filch::with(filch::time_limit{limit}), 0, endless, compute);
  } catch (const filch::stopped&) {
  }
}

filch::task<> loop_until_asked() {
  filch::parallel_for(filch::with(co_await filch::co::get_stop_token()), 0, endless, compute);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  me.require(me.variant() == "loop" || me.variant() == "task", "--case must be loop or task");
  me.require(me.size() > 0, "--size counts tries: it must be at least 1");
  const busy_process beside;
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  if (me.variant() == "loop") {
    measure(me, [&] { pool.run(loop_in_time); });
  } else {
    measure(me, [&] { filch::block_on(pool, filch::with_timeout(loop_until_asked(), limit)); });
  }
  return me.exit_status();
}
