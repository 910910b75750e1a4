#include <bench/heat/entry.hpp>
#include <bench/ways.hpp>

using namespace bench::heat;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [&](const auto& work) { work(bench::in_order{}); });
  return me.exit_status();
}
