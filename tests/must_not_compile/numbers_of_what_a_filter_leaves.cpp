// expected: .*views::enumerate numbers places
#include <filch/algo.hpp>

#include <vector>

int main() {
  const std::vector<int> values(1000);
  const auto any = [](const auto&) { return true; };
#ifdef ACCEPTED
  const auto chain = values | filch::views::enumerate | filch::views::filter(any);
#else
  const auto chain = values | filch::views::filter(any) | filch::views::enumerate;
#endif
  return static_cast<int>(filch::count_if(chain, any));
}
