#include <bench/cholesky/entry.hpp>

using namespace bench::cholesky;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](const std::vector<step>& steps, matrix& a) {
    for (const step& each : steps) run(each, a);
  });
  return me.exit_status();
}
