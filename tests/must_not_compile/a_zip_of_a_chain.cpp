// expected: .*views::zip refers to ranges
#include <filch/algo.hpp>

#include <vector>

int main() {
  std::vector<int> keys(1000), values(1000);
  const auto chain = values | filch::views::transform([](int each) { return each + 1; });
#ifdef ACCEPTED
  std::vector<int> made = filch::to<std::vector>(chain);
  filch::sort(filch::views::zip(keys, made));
#else
  filch::sort(filch::views::zip(keys, chain));
#endif
}
