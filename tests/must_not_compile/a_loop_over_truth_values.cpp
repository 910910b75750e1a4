// expected: truth values
#include <filch/algo.hpp>

int main() {
#ifdef ACCEPTED
  filch::parallel_reduce(
      0, 1, 0, [](int each) { return each; }, [](int a, int b) { return a + b; });
#else
  filch::parallel_reduce(
      false, true, 0, [](int each) { return each; }, [](int a, int b) { return a + b; });
#endif
}
