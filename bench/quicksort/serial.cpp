#include <bench/quicksort/entry.hpp>

using namespace bench::quicksort;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](std::span<value> values) { return serial(values); });
  return me.exit_status();
}
