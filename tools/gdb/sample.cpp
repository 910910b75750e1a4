// A program to look at: gdb_test.py lets it abort, and asks gdb what the pool did.
#include <filch/co.hpp>
#include <filch/fork.hpp>
#include <filch/sync.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

namespace {

std::atomic<int> computing_count{0};
std::atomic<bool> blocks{false};

[[gnu::noinline]] void compute_forever() {
  ++computing_count;
  for (volatile unsigned long i = 0;;) i = i + 1;
}

[[gnu::noinline]] void wait_for_long() {
  blocks = true;
  std::this_thread::sleep_for(std::chrono::hours(1));
}

// Two forks that no other worker can take, as its pool has no other.
void fork_twice() {
  filch::join([] { filch::join(compute_forever, [] {}); }, [] {});
}

filch::task<int> seven() { co_return 7; }

}  // namespace

int main() {
  filch::thread_pool pool{{.workers = 2}};
  filch::thread_pool single{{.workers = 1}};
  filch::channel<int> numbers{8};
  filch::async_mutex lock;
  const filch::async_lock held = lock.try_lock();
  const filch::task<int> not_begun = seven();
  filch::task<int> moved = seven();
  const filch::task<int> taken = std::move(moved);
  const filch::join_handle<int> ended = filch::spawn(pool, seven());
  for (int i = 0; i < 3; ++i) static_cast<void>(numbers.try_send(10 + i));
  while (!ended.is_finished()) std::this_thread::yield();
  pool.submit([] { filch::blocking(wait_for_long); });
  pool.submit(compute_forever);
  single.submit(fork_twice);
  while (computing_count != 2 || !blocks) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // until the counters tell
  std::abort();
}
