#include <bench/find/problem.hpp>

#include <algorithm>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::find::as("serial"));
  bench::find::measure(me, [](const auto& numbers, float value) {
    return std::find(numbers.begin(), numbers.end(), value);
  });
  return me.exit_status();
}
