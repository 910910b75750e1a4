// The six programs with `std::async` and `std::execution::par`.
#include "../six.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <execution>
#include <functional>
#include <future>
#include <numeric>
#include <optional>
#include <queue>
#include <stdexcept>
#include <thread>

namespace {

using namespace std::chrono_literals;

// [loop]
void add_scaled(double a, const std::vector<double>& x, std::vector<double>& y) {
  std::transform(std::execution::par, x.begin(), x.end(), y.begin(), y.begin(),
                 [a](double from, double to) { return to + a * from; });
}
// [loop]

// [reduction]
double length(const std::vector<double>& v) {
  const auto square = [](double x) { return x * x; };
  return std::sqrt(
      std::transform_reduce(std::execution::par, v.begin(), v.end(), 0.0, std::plus<>{}, square));
}
// [reduction]

// [fork_join]
long sum(const node* tree, int depth) {
  if (tree == nullptr) return 0;
  const auto how = depth > 0 ? std::launch::async : std::launch::deferred;
  std::future<long> left = std::async(how, [&] { return sum(tree->left.get(), depth - 1); });
  const long right = sum(tree->right.get(), depth - 1);
  return tree->value + left.get() + right;
}
// [fork_join]

// [group]
bool parse_all(const std::vector<std::string>& texts, std::vector<int>& numbers) {
  std::vector<std::future<void>> jobs;
  for (std::size_t i = 0; i != texts.size(); ++i)
    jobs.push_back(std::async(std::launch::async, [&, i] { numbers[i] = std::stoi(texts[i]); }));
  try {
    for (std::future<void>& each : jobs) each.get();
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}
// [group]

// [pipeline]
std::vector<std::string> reverse_lines(std::istream& in) {
  std::vector<std::string> out;
  std::queue<std::future<std::string>> under_way;
  const auto keep_first = [&] {
    out.push_back(under_way.front().get());
    under_way.pop();
  };
  for (std::string line; std::getline(in, line);) {
    if (under_way.size() == 8) keep_first();
    under_way.push(std::async(std::launch::async, reversed, line));
  }
  while (!under_way.empty()) keep_first();
  return out;
}
// [pipeline]

// [stop]
std::optional<long> first_prime(const std::vector<long>& of, std::chrono::milliseconds at_most) {
  std::promise<std::optional<long>> found;
  std::future<std::optional<long>> result = found.get_future();
  std::jthread search([&](std::stop_token stop) {
    auto at = of.begin();
    while (at != of.end() && !stop.stop_requested() && !is_prime(*at)) ++at;
    const bool is_found = at != of.end() && is_prime(*at);
    found.set_value(is_found ? std::optional(*at) : std::nullopt);
  });
  if (result.wait_for(at_most) == std::future_status::timeout) search.request_stop();
  return result.get();
}
// [stop]

long sum_of_all(const node* tree) { return sum(tree, 3); }

bool is_stop_right() {
  return first_prime(numbers_with_two_primes(), 1h) == earlier_prime &&
         first_prime(numbers_without_prime(), 1ms) == std::nullopt;
}

}  // namespace

int main() {
  return run({add_scaled, length, sum_of_all, parse_all, reverse_lines, is_stop_right});
}
