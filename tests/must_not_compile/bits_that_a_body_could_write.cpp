// expected: the bits of a std::vector<bool> share words
#include <filch/algo.hpp>

#include <vector>

int main() {
#ifdef ACCEPTED
  const std::vector<bool> flags(1000);
#else
  std::vector<bool> flags(1000);
#endif
  filch::parallel_for(flags, [](auto&&) {});
}
