#include <bench/harness/contender.hpp>
#include <bench/suspended/problem.hpp>
#include <filch/co.hpp>
#include <filch/sync.hpp>

#include <atomic>

namespace {

using namespace bench::suspended;

struct crowd {
  filch::async_event end;
  std::atomic<std::uint64_t> came{0}, left{0};
  double bytes = 0;  ///< Of all of them, while they wait.
};

filch::task<> wait_for_the_end(crowd& all) {
  all.came.fetch_add(1, std::memory_order_relaxed);
  co_await all.end.wait();
  all.left.fetch_add(1, std::memory_order_relaxed);
}

filch::task<> gather(crowd& all, std::uint64_t tasks) {
  const double before = resident_bytes();
  filch::co::scope waiting;
  for (std::uint64_t i = 0; i != tasks; ++i) waiting.spawn(wait_for_the_end(all));
  while (all.came.load(std::memory_order_relaxed) != tasks) co_await filch::co::yield();
  all.bytes = resident_bytes() - before;
  all.end.set();
  co_await waiting.join();
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, {.problem = "suspended", .peer = "filch", .size = default_tasks});
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  const auto tasks = me.size<std::uint64_t>();
  crowd all;
  const double seconds =
      bench::seconds_of([&] { filch::block_on(filch::spawn(pool, gather(all, tasks))); });
  me.report({{"seconds", seconds}, {"bytes_a_task", all.bytes / static_cast<double>(tasks)}},
            all.left == tasks
                ? ""
                : std::to_string(all.left) + " of " + std::to_string(tasks) + " ended");
  return me.exit_status();
}
