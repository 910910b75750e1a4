#include <bench/harness/contender.hpp>
#include <bench/sleeps/problem.hpp>
#include <filch/co.hpp>
#include <filch/timers.hpp>

namespace {

using namespace bench::sleeps;

filch::task<> sleep(latest& seen) {
  const clock::time_point due = clock::now() + length;
  co_await filch::sleep_until(due);
  seen.see(due);
}

filch::task<> sleep_all(latest& seen, std::uint64_t count) {
  filch::co::scope all;
  for (std::uint64_t i = 0; i != count; ++i) all.spawn(sleep(seen));
  co_await all.join();
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, {.problem = "sleeps", .peer = "filch", .size = default_sleeps});
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  measure(me, [&](latest& seen) {
    filch::block_on(filch::spawn(pool, sleep_all(seen, me.size<std::uint64_t>())));
  });
  return me.exit_status();
}
