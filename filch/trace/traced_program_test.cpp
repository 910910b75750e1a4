// A program for the tests of the recorder: `fib N` computes once, `spin N` until it is killed.
#include <filch/fork.hpp>

#include <cstdlib>
#include <cstring>

#include <cstdio>

namespace {

long fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  filch::thread_pool pool({.workers = 2});
  const auto n = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 30);
  const bool spins = argc > 1 && std::strcmp(argv[1], "spin") == 0;
  do {
    std::printf("%ld\n", pool.run([n] { return fib(n); }));
    std::fflush(stdout);
  } while (spins);
}
