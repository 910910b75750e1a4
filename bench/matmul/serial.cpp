#include <bench/matmul/entry.hpp>

using namespace bench::matmul;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](operand a, operand b, output c) { return serial(a, b, c); });
  return me.exit_status();
}
