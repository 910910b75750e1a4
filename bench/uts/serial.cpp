#include <bench/uts/entry.hpp>

using namespace bench::uts;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](const tree& t) { return serial(t); });
  return me.exit_status();
}
