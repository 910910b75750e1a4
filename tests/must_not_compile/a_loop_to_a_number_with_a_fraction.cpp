// expected: floating-point numbers
#include <filch/algo.hpp>

int main() {
#ifdef ACCEPTED
  filch::parallel_for(0, 10, [](int) {});
#else
  filch::parallel_for(0, 1e6, [](int) {});
#endif
}
