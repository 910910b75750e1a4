#pragma once
// What the programs of `from_graph.cpp` and of `from/*_graph.cpp` share, and how each is held
// against what it must give.
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

inline double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum / static_cast<double>(values.size());
}
inline double mean_square_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += each * each;
  return sum / static_cast<double>(values.size());
}

inline double better_root(double guess, double of) { return (guess + of / guess) / 2; }
inline bool is_root(double guess, double of) { return std::abs(guess * guess - of) < 1e-9 * of; }

/// A thing that two threads at most may use at a time.
class scanner {
 public:
  void use() {
    const int entered = ++in_use_;
    for (int seen = most_; seen < entered && !most_.compare_exchange_weak(seen, entered);) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds{50});
    --in_use_;
    ++uses_;
  }
  bool was_used_rightly(int times) const { return uses_ == times && most_ <= 2; }

 private:
  std::atomic<int> in_use_{0}, most_{0}, uses_{0};
};

/// The programs of one library. The last one differs from library to library, and judges itself.
struct graph_programs {
  double (*variance)(const std::vector<double>&);
  long (*simulate)(int steps);
  double (*root)(double);
  void (*scan)(scanner&, int pages);
  bool (*is_last_right)();
};

/// Runs each, prints which are right, and returns the exit code: 0 if all are.
inline int run(const graph_programs& of) {
  const bool is_variance_right = std::abs(of.variance({1, 2, 3, 4}) - 1.25) < 1e-9;
  const bool is_simulation_right = of.simulate(10) == 110;  // 2 + 4 + ... + 20
  const bool is_root_right = std::abs(of.root(2) - std::sqrt(2)) < 1e-6;
  scanner shared;
  of.scan(shared, 20);
  const bool is_limit_right = shared.was_used_rightly(20);
  const bool is_last_right = of.is_last_right();
  std::printf("values %d, order %d, loop %d, limit %d, last %d\n", is_variance_right,
              is_simulation_right, is_root_right, is_limit_right, is_last_right);
  const bool is_right =
      is_variance_right && is_simulation_right && is_root_right && is_limit_right && is_last_right;
  return is_right ? 0 : 1;
}
