#include <bench/mandelbrot/entry.hpp>

using namespace bench::mandelbrot;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](image& picture) { return serial(picture); });
  return me.exit_status();
}
