// Six small programs: a loop, a reduction, a recursion, a group of jobs, a pipeline, and a search
// that ends early. docs/guide/from shows each beside the same program in another runtime.
#include <filch/algo.hpp>
#include <filch/fork.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
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

struct node {
  long value = 0;
  std::unique_ptr<node> left, right;
};

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

std::string reversed(const std::string& line) { return {line.rbegin(), line.rend()}; }

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

bool is_prime(long n) {
  for (long divisor = 2; divisor * divisor <= n; ++divisor) {
    if (n % divisor == 0) return false;
  }
  return n > 1;
}

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

bool stops_are_right() {
  std::vector<long> numbers(100'000, 4);
  numbers[70'000] = 1'000'003;
  numbers[90'000] = 7;
  std::stop_source asked;
  asked.request_stop();
  return first_prime(numbers, {}, 1h) == 1'000'003 &&
         first_prime(numbers, asked.get_token(), 1h) == std::nullopt &&
         first_prime(numbers, {}, 0ms) == std::nullopt;
}

std::unique_ptr<node> full_tree(int levels) {
  if (levels == 0) return nullptr;
  return std::unique_ptr<node>(new node{1, full_tree(levels - 1), full_tree(levels - 1)});
}

}  // namespace

int main() {
  std::vector<double> x(10'000, 2), y(10'000, 1);
  add_scaled(3, x, y);
  const bool is_loop_right = y == std::vector<double>(10'000, 7);
  const bool is_length_right = length(std::vector<double>(10'000, 3)) == 300;
  const bool is_sum_right = sum(full_tree(12).get()) == 4'095;

  std::vector<int> numbers(3);
  const bool is_group_right = !parse_all({"1", "two", "3"}, numbers) &&
                              parse_all({"4", "5", "6"}, numbers) &&
                              numbers == std::vector<int>{4, 5, 6};
  std::istringstream text("ab\ncd\nef\n");
  const bool is_pipeline_right = reverse_lines(text) == std::vector<std::string>{"ba", "dc", "fe"};
  const bool is_stop_right = stops_are_right();
  std::printf("loop %d, reduction %d, fork-join %d, group %d, pipeline %d, stop %d\n",
              is_loop_right, is_length_right, is_sum_right, is_group_right, is_pipeline_right,
              is_stop_right);
  return is_loop_right && is_length_right && is_sum_right && is_group_right && is_pipeline_right &&
                 is_stop_right
             ? 0
             : 1;
}
