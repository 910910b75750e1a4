// expected: the bits of a std::vector<bool> share words
#include <filch/algo.hpp>

#include <vector>

int main() {
#ifdef ACCEPTED
  std::vector<char> flags(1000);
#else
  std::vector<bool> flags(1000);
#endif
  filch::fill(flags, true);
}
