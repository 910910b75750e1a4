#include <bench/bfs/entry.hpp>

using namespace bench::bfs;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](const graph& g, vertex source) { return serial(g, source); });
  return me.exit_status();
}
