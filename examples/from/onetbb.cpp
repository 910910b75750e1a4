// The six programs with oneTBB.
#include "../six.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>

namespace {

// [loop]
void add_scaled(double a, const std::vector<double>& x, std::vector<double>& y) {
  tbb::parallel_for(std::size_t{0}, y.size(), [&](std::size_t i) { y[i] += a * x[i]; });
}
// [loop]

// [reduction]
double length(const std::vector<double>& v) {
  const tbb::blocked_range<std::size_t> all(0, v.size());
  const double sum = tbb::parallel_reduce(
      all, 0.0,
      [&](const tbb::blocked_range<std::size_t>& part, double so_far) {
        for (std::size_t i = part.begin(); i != part.end(); ++i) so_far += v[i] * v[i];
        return so_far;
      },
      std::plus<>{});
  return std::sqrt(sum);
}
// [reduction]

// [fork_join]
long sum(const node* tree) {
  if (tree == nullptr) return 0;
  long left = 0, right = 0;
  tbb::parallel_invoke([&] { left = sum(tree->left.get()); },
                       [&] { right = sum(tree->right.get()); });
  return tree->value + left + right;
}
// [fork_join]

// [group]
bool parse_all(const std::vector<std::string>& texts, std::vector<int>& numbers) {
  tbb::task_group group;
  for (std::size_t i = 0; i != texts.size(); ++i)
    group.run([&, i] { numbers[i] = std::stoi(texts[i]); });
  try {
    group.wait();
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}
// [group]

// [pipeline]
std::vector<std::string> reverse_lines(std::istream& in) {
  std::vector<std::string> out;
  const auto read = [&](tbb::flow_control& control) {
    std::string line;
    if (!std::getline(in, line)) control.stop();
    return line;
  };
  const auto keep = [&](std::string line) { out.push_back(line); };
  tbb::parallel_pipeline(
      8, tbb::make_filter<void, std::string>(tbb::filter_mode::serial_in_order, read) &
             tbb::make_filter<std::string, std::string>(tbb::filter_mode::parallel, &reversed) &
             tbb::make_filter<std::string, void>(tbb::filter_mode::serial_in_order, keep));
  return out;
}
// [pipeline]

// [stop]
std::optional<long> some_prime(const std::vector<long>& of) {
  std::atomic<long> found{0};
  tbb::task_group_context ends;
  const auto look = [&](std::size_t i) {
    if (!is_prime(of[i])) return;
    found = of[i];
    ends.cancel_group_execution();
  };
  tbb::parallel_for(std::size_t{0}, of.size(), look, ends);
  if (found == 0) return std::nullopt;
  return found;
}
// [stop]

bool is_stop_right() { return is_one_of_the_primes(some_prime(numbers_with_two_primes())); }

}  // namespace

int main() { return run({add_scaled, length, sum, parse_all, reverse_lines, is_stop_right}); }
