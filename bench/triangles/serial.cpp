#include <bench/triangles/entry.hpp>

using namespace bench::triangles;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](const graph& g) { return serial(g); });
  return me.exit_status();
}
