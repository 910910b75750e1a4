// Run by process_test in a process that gets no threads. Exit status 42: everything went as promised.
#include <filch/filch.hpp>

#include <string>
#include <system_error>

namespace {

long fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

bool submit_names_the_refused_thread(filch::thread_pool& pool) {
  try {
    pool.submit([] {});
    return false;
  } catch (const std::system_error& refused) {
    return std::string(refused.what()).find("worker thread") != std::string::npos;
  }
}

bool groups_run_in_their_wait(filch::thread_pool& pool) {
  int ran = 0;
  pool.run([&] {
    filch::task_group one;
    filch::task_group two;
    one.run([&] { ++ran; });
    two.run([&] { ++ran; });
    one.wait();
    two.wait();
  });
  return ran == 2;
}

}  // namespace

int main() {
  filch::thread_pool pool({.workers = 4});
  if (pool.run([] { return fib(20); }) != 6765) return 3;
  if (!submit_names_the_refused_thread(pool)) return 4;
  return groups_run_in_their_wait(pool) ? 42 : 5;
}
