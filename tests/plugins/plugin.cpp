// A plugin that holds a whole static filch of its own, as one does that is built against the
// installed library.
#include <filch/filch.hpp>

#include <functional>

namespace {

filch::task<int> twice(int value) { co_return 2 * value; }

}  // namespace

/// The sum of the numbers below `n`, by a parallel loop, a join and a coroutine.
extern "C" int filch_plugin_sum(int n) {
  filch::default_pool().warm_up();  // so that the number of threads is what it will be
  const auto half = [](int first, int last) {
    return filch::parallel_reduce(
        first, last, 0, [](int i) { return i; }, std::plus<>{});
  };
  const auto [left, right] =
      filch::join([&] { return half(0, n / 2); }, [&] { return half(n / 2, n); });
  return filch::block_on(filch::spawn(twice(left + right))) / 2;
}

/// Makes a pool that never starts a thread, and destroys it.
extern "C" unsigned filch_plugin_capacity() {
  return filch::thread_pool{{.workers = 1}}.worker_capacity();
}
