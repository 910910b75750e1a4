#include <bench/words/entry.hpp>

using namespace bench::words;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](const std::vector<file>& files) { return serial(files); });
  return me.exit_status();
}
