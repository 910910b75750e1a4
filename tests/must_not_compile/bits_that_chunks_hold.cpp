// expected: the bits of a std::vector<bool> share words
#include <filch/algo.hpp>

#include <vector>

int main() {
#ifdef ACCEPTED
  const std::vector<bool> flags(1000);
#else
  std::vector<bool> flags(1000);
#endif
  filch::for_each(flags | filch::views::chunk(100), [](auto&&) {});
}
