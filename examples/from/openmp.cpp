// The six programs with OpenMP.
#include "../six.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>

namespace {

// [loop]
void add_scaled(double a, const std::vector<double>& x, std::vector<double>& y) {
#pragma omp parallel for
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}
// [loop]

// [reduction]
double length(const std::vector<double>& v) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * v[i];
  return std::sqrt(sum);
}
// [reduction]

// [fork_join]
long sum(const node* tree) {
  if (tree == nullptr) return 0;
  long left = 0, right = 0;
#pragma omp task shared(left)
  left = sum(tree->left.get());
  right = sum(tree->right.get());
#pragma omp taskwait
  return tree->value + left + right;
}
// [fork_join]

// [group]
bool parse_all(const std::vector<std::string>& texts, std::vector<int>& numbers) {
  bool has_failed = false;
#pragma omp parallel for
  for (std::size_t i = 0; i < texts.size(); ++i) {
    try {
      numbers[i] = std::stoi(texts[i]);
    } catch (const std::invalid_argument&) {
#pragma omp atomic write
      has_failed = true;
    }
  }
  return !has_failed;
}
// [group]

// [pipeline]
std::vector<std::string> reverse_lines(std::istream& in) {
  std::vector<std::string> lines, out;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
#pragma omp parallel for ordered schedule(dynamic, 1)
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line = reversed(lines[i]);
#pragma omp ordered
    out.push_back(line);
  }
  return out;
}
// [pipeline]

// [stop]
std::optional<long> some_prime(const std::vector<long>& of) {
  long found = 0;
#pragma omp parallel
#pragma omp for
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (is_prime(of[i])) {
#pragma omp atomic write
      found = of[i];
#pragma omp cancel for
    }
#pragma omp cancellation point for
  }
  return found == 0 ? std::nullopt : std::optional(found);
}
// [stop]

long sum_of_all(const node* tree) {
  long all = 0;
#pragma omp parallel
#pragma omp single
  all = sum(tree);
  return all;
}

bool is_stop_right() { return is_one_of_the_primes(some_prime(numbers_with_two_primes())); }

}  // namespace

int main() {
  return run({add_scaled, length, sum_of_all, parse_all, reverse_lines, is_stop_right});
}
