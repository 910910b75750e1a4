// The example of algorithms in README.md. Work O(n log n) for the sort, O(n) for the rest; span
// O(log^2 n).
// [orders]
#include <filch/filch.hpp>

#include <cstdio>
#include <ranges>
#include <vector>

struct order {
  int customer;
  double price;
};

int main() {
  namespace views = filch::views;
  std::vector<order> orders(1'000'000);
  filch::parallel_for(0, 1'000'000, [&](int i) {
    orders[static_cast<std::size_t>(i)] = {i % 1000 * 7919 % 1000, i % 97 + 0.5};
  });

  filch::sort(orders, {}, &order::customer);  // as std::ranges::sort, by a projection

  // One pass, nothing kept
  const auto large = orders | views::filter([](const order& each) { return each.price > 90; });
  const double volume = filch::transform_reduce(filch::with(filch::deterministic), large, 0.0,
                                                std::plus<>{}, &order::price);
  const std::vector<int> buyers =
      large | views::transform(&order::customer) | filch::to<std::vector>();

  // Deterministic: the same bits on any number of workers
  std::vector<double> running(orders.size());
  filch::transform_inclusive_scan(filch::with(filch::deterministic), orders, running.begin(),
                                  std::plus<>{}, &order::price);
  std::printf("%zu large orders, %.1f; all: %.1f\n", buyers.size(), volume, running.back());
}
// [orders]
