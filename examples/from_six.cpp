// Six small programs: a loop, a reduction, a recursion, a group of jobs, a pipeline, and a search
// that ends early. docs/guide/from shows each beside the same program in another runtime.
#include "six.hpp"

#include <filch/algo.hpp>
#include <filch/fork.hpp>

#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;

// [loop]
// y += a x. No grain and no schedule is given: the loop measures what its iterations cost.
void add_scaled(double a, const std::vector<double>& x, std::vector<double>& y) {
  filch::parallel_for(0, y.size(), [&](std::size_t i) { y[i] += a * x[i]; });
}
// [loop]

// [reduction]
double length(const std::vector<double>& v) {
  const auto square = [](double x) { return x * x; };
  return std::sqrt(filch::parallel_reduce(v, 0.0, square, std::plus<>{}));
}
// [reduction]

// [fork_join]
// A side that no other worker takes is a plain call, so no depth is given below which it is serial.
long sum(const node* tree) {
  if (tree == nullptr) return 0;
  const auto [left, right] =
      filch::join([&] { return sum(tree->left.get()); }, [&] { return sum(tree->right.get()); });
  return tree->value + left + right;
}
// [fork_join]

// [group]
// After the first exception, jobs that have not begun are discarded. `wait` throws it.
bool parse_all(const std::vector<std::string>& texts, std::vector<int>& numbers) {
  filch::task_group group;
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
// Lines are read one by one, reversed in parallel, and kept in order. At most 8 are on their way.
std::vector<std::string> reverse_lines(std::istream& in) {
  std::vector<std::string> out;
  const auto read = [&]() -> std::optional<std::string> {
    std::string line;
    if (!std::getline(in, line)) return std::nullopt;
    return line;
  };
  filch::pipeline(filch::items_in_flight{8}, read,  //
                  filch::parallel_stage(reversed),
                  filch::serial_in_order_stage([&](std::string line) { out.push_back(line); }));
  return out;
}
// [pipeline]

// [stop]
// The first prime. Gives none if the caller asks to stop, or if the time is over.
std::optional<long> first_prime(const std::vector<long>& of, std::stop_token stop,
                                std::chrono::milliseconds at_most) {
  try {
    const auto how = filch::with(stop, filch::time_limit{at_most});
    const auto found = filch::find_if(how, of, is_prime);
    if (found != of.end()) return *found;
  } catch (const filch::stopped&) {
  }
  return std::nullopt;
}
// [stop]

bool is_stop_right() {
  const std::vector<long> numbers = numbers_with_two_primes();
  std::stop_source asked;
  asked.request_stop();
  return first_prime(numbers, {}, 1h) == earlier_prime &&
         first_prime(numbers, asked.get_token(), 1h) == std::nullopt &&
         first_prime(numbers, {}, 0ms) == std::nullopt;
}

}  // namespace

int main() { return run({add_scaled, length, sum, parse_all, reverse_lines, is_stop_right}); }
