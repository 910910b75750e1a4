// expected: the end of its range
#include <filch/algo.hpp>

int main() {
  int numbers[10] = {};
#ifdef ACCEPTED
  filch::parallel_for(numbers, numbers + 10, [](int) {});
#else
  filch::parallel_for(numbers, 10, [](int) {});
#endif
}
