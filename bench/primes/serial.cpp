#include <bench/primes/entry.hpp>

using namespace bench::primes;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](const parameters& p) { return serial(p); });
  return me.exit_status();
}
