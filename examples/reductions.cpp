// One value out of many elements, in three ways. docs/guide/reductions.md says which is for what.
#include <filch/filch.hpp>

#include <array>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace {

// [reduce]
// A value is made of each element, and two values make one. Operands keep their order.
double total(const std::vector<double>& prices) { return filch::reduce(prices); }

std::string initials(const std::vector<std::string>& names) {
  const auto first_letter = [](const std::string& name) { return name.substr(0, 1); };
  return filch::transform_reduce(names, std::string(), std::plus<>{}, first_letter);
}
// [reduce]

// [reducer]
// An element is added to a value in place: to a container, a histogram, a set of statistics.
std::vector<int> odd_ones(const std::vector<int>& numbers) {
  struct append {
    std::vector<int> operator()(std::vector<int> left, std::vector<int> right) const {
      left.insert(left.end(), right.begin(), right.end());
      return left;
    }
  };
  filch::reducer<std::vector<int>, append> found;
  found.over(numbers, [](int number, std::vector<int>& view) {
    if (number % 2 != 0) view.push_back(number);
  });
  return found.value();  // in the order of `numbers`
}
// [reducer]

// [worker_local]
// Each worker keeps an object across many loops and jobs. The order of what it sees is not fixed.
std::array<long, 10> last_digits(const std::vector<std::vector<int>>& batches) {
  filch::worker_local<std::array<long, 10>> counts([] { return std::array<long, 10>{}; });
  for (const std::vector<int>& batch : batches) {
    filch::for_each_chunk(batch, [&](auto chunk) {
      std::array<long, 10>& mine = counts.local();  // once a chunk: it costs 3 to 4 ns
      for (const int number : chunk) ++mine[static_cast<std::size_t>(number % 10)];
    });
  }
  std::array<long, 10> sum{};
  for (const std::array<long, 10>& each : counts) {
    for (std::size_t digit = 0; digit != sum.size(); ++digit) sum[digit] += each[digit];
  }
  return sum;
}
// [worker_local]

}  // namespace

int main() {
  std::vector<int> numbers(10'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  const double sum = total(std::vector<double>(1'000, 0.5));
  const std::string letters = initials({"Ada", "Barbara", "Grace"});
  const std::vector<int> odd = odd_ones(numbers);
  const std::array<long, 10> digits = last_digits({numbers, numbers});
  std::printf("%.1f %s %zu %ld\n", sum, letters.c_str(), odd.size(), digits[7]);
  const bool is_right =
      sum == 500 && letters == "ABG" && odd.size() == 5'000 && odd[1] == 3 && digits[7] == 2'000;
  return is_right ? 0 : 1;
}
