#include <bench/loop/problem.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::loop::as("serial"));
  bench::loop::measure(me, [](std::uint32_t* a, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) a[i] += 1;
  });
  return me.exit_status();
}
