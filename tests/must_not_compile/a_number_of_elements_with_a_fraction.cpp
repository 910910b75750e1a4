// expected: a number of elements is an integer
#include <filch/algo.hpp>

int main() {
#ifdef ACCEPTED
  filch::tabulate(1000, [](auto i) { return i; });
#else
  filch::tabulate(1e3, [](auto i) { return i; });
#endif
}
