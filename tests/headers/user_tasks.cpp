// A user's program that instantiates what forks, spawns, waits and tells. CMakeLists.txt compiles
// it with all warnings of the compiler.
#include <filch/filch.hpp>

#include <chrono>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

void forks() {
  const auto three = filch::join([] { return 1; }, [] { return std::string("two"); }, [] {});
  (void)three;
  filch::join([] {}, [] {});
  filch::task_group group;
  group.run([] {});
  group.wait();
  filch::thread_pool pool(filch::pool_options{.workers = 2});
  (void)pool.run([] { return filch::worker_index(); });
  pool.submit([moved = std::make_unique<int>(1)] { (void)*moved; });
  (void)filch::blocking([] { return 1; });
  (void)pool.stop(std::chrono::steady_clock::now() + 1s);
}

filch::task<int> one() { co_return 1; }
filch::task<> none() { co_return; }

filch::task<int> tasks(filch::thread_pool& pool) {
  const std::stop_token stop = co_await filch::co::get_stop_token();
  filch::co::scope all{stop};
  all.spawn(none());
  auto forked = co_await filch::co::fork(one());
  co_await filch::co::join;
  co_await filch::co::yield();
  co_await filch::co::schedule_on(pool);
  co_await all.join();
  const auto [left, right] = co_await filch::when_all(one(), one());
  co_await filch::when_all(std::vector<filch::task<int>>{});
  const auto first = co_await filch::when_any(one(), one());
  filch::join_handle<int> spawned = filch::spawn(one());
  const int blocked = co_await filch::co::blocking([] { return 1; });
  co_return left + right + static_cast<int>(first.index) + co_await spawned + blocked +
      forked.get();
}

template <class T>
filch::task<> waits() {
  filch::async_mutex mutex;
  filch::async_lock held = co_await mutex.lock();
  filch::async_condition condition;
  condition.notify_all();
  held = {};
  filch::async_shared_mutex shared;
  (void)co_await shared.lock_shared();
  filch::async_semaphore permits{2};
  (void)co_await permits.acquire();
  filch::async_event event;
  event.set();
  co_await event.wait();
  filch::async_latch latch{1};
  co_await latch.arrive_and_wait();
  filch::async_barrier barrier{1};
  co_await barrier.arrive_and_wait();
  filch::channel<T> channel{4};
  (void)co_await channel.send(T{});
  (void)co_await filch::select(channel.receive(), event.wait());
  (void)channel.try_send(T{});
  (void)filch::wait(channel.receive());
  filch::oneshot<T> reply;
  (void)reply.send(T{});
  (void)co_await reply.receive();
  filch::broadcast<T> news{4};
  auto reader = news.subscribe();
  (void)news.send(T{});
  (void)co_await reader.receive();
}

filch::task<> times() {
  co_await filch::sleep_for(1ms);
  co_await filch::sleep_until(std::chrono::steady_clock::now());
  filch::interval ticks{1ms};
  (void)co_await ticks.next();
  (void)co_await filch::with_timeout(one(), 1s);
  (void)co_await filch::with_timeout(filch::sleep_for(1ms), 1s);
}

template <class T>
void graphs() {
  filch::task_graph g;
  filch::graph_limit limit{2};
  const auto given = g.input<T>("given");
  const auto copy = g.emplace(
      "copy", [](const T& value) { return value; }, given);
  const auto taken = g.emplace([](T value) { return value; }, copy);
  const auto way = g.branch([] { return true; });
  const auto other = g.emplace([](filch::subgraph& in) { in.emplace([] {}); });
  way.choose(true, other);
  const auto last = g.emplace([](const T* value) { return value != nullptr; }, taken.optional());
  last.limited_by(limit).at(filch::priority::high).succeed(other);
  given.set(T{});
  g.run();
  g.run(filch::with(filch::time_limit{1s}));
  (void)g.last_run().json();
  filch::wait(filch::sleep_for(1ms));
}

template <class T>
filch::task<T> later(const T& value) {
  co_return value;
}
template <class T>
filch::task<T> awaits(filch::shared_join_handle<T> of) {
  (void)co_await of;
  co_return co_await std::move(of);
}
template <class T>
void spawns_after() {
  const auto first = filch::spawn_after([] {});
  const auto one = filch::spawn_after([] { return T{}; });
  const auto two = filch::spawn_after(
      filch::with(filch::priority::high), [](const T& value) { return value; }, one, first);
  const auto three = filch::spawn_after(later<T>, two);
  const auto four =
      filch::spawn_after([](T&& value) { return std::move(value); }, filch::spawn(later(T{})));
  const std::vector<filch::shared_join_handle<T>> all{one, two, three, four};
  const auto look = [](std::span<const filch::shared_join_handle<T>> each) {
    return each.front().is_finished();
  };
  (void)filch::spawn_after(look, all).get();
  (void)filch::block_on(awaits(three));
}

void tells() {
  std::ostringstream page;
  filch::write_prometheus(page);
  const filch::metrics_snapshot seen = filch::default_pool().metrics();
  (void)seen.slot_count;
  (void)filch::analyze([] { return 1; });
  filch::wait(filch::sleep_for(1ms));
}

}  // namespace

int main() {
  forks();
  (void)filch::block_on(tasks(filch::default_pool()));
  filch::block_on(waits<int>());
  filch::block_on(waits<std::string>());
  filch::block_on(times());
  graphs<int>();
  graphs<std::string>();
  spawns_after<int>();
  spawns_after<std::string>();
  tells();
}
