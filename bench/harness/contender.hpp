#pragma once
// What every contender does beside its computation: reads the request, times the repeats, prints
// one JSON line for each.
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Seconds on the steady clock, for differences.
inline double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds that `f()` takes.
template <class F>
double seconds_of(F&& f) {
  const double start = now_seconds();
  f();
  return now_seconds() - start;
}

/// Makes the compiler believe that `value` was read and changed here: nothing computed from it can
/// move across the clock.
template <class T>
void launder_value(T& value) {
  asm volatile("" : "+m"(value) : : "memory");
}

/// Which problem and peer the program is, and what it does if the command line does not say.
struct identity {
  const char* problem;
  const char* peer;
  std::int64_t size = 0;     ///< Default of `--size`; the problem decides what it counts.
  const char* variant = "";  ///< Default of `--case`.
};

/// One program of the grid problem x peer.
class contender {
 public:
  using values = std::vector<std::pair<const char*, double>>;

  /// Reads `--workers`, `--repeat`, `--size` and `--case`; a line that makes no sense ends the
  /// program with a message.
  contender(int argc, char** argv, const identity& who);

  unsigned workers() const { return workers_; }
  unsigned repeat() const { return repeat_; }
  /// The size as the type that the problem counts it in; ends the program if it does not fit.
  template <class Integer = std::int64_t>
  Integer size() const {
    require(std::in_range<Integer>(size_), "--size is too large");
    return static_cast<Integer>(size_);
  }
  const std::string& variant() const { return variant_; }

  /// Ends the program with `message` unless `holds`.
  void require(bool holds, const std::string& message) const;

  /// Calls `compute(parameters)` as often as asked and prints the seconds of each call.
  /// `check(parameters, result)` says what is wrong with a result; empty when nothing.
  template <class Parameters, class Compute, class Check>
  void measure(Parameters parameters, Compute&& compute, Check&& check) {
    for (unsigned i = 0; i != repeat_; ++i) {
      launder_value(parameters);
      const double start = now_seconds();
      auto result = compute(std::as_const(parameters));
      launder_value(result);
      const double seconds = now_seconds() - start;
      report({{"seconds", seconds}}, check(std::as_const(parameters), std::as_const(result)));
    }
  }

  /// Prints one sample: the named values, whether there was a `complaint`, and the peak resident
  /// memory so far.
  void report(const values& measured, const std::string& complaint);

  /// Lets `more(seconds)` add values to each sample that has `seconds`. Called when the clock no
  /// longer counts.
  void add_to_samples(std::function<values(double)> more) { more_ = std::move(more); }

  /// The program's exit status: 0 when every sample was correct.
  int exit_status() const { return all_correct_ ? 0 : 1; }

 private:
  identity who_;
  unsigned workers_ = 1;
  unsigned repeat_ = 1;
  std::int64_t size_;
  std::string variant_;
  bool all_correct_ = true;
  std::function<values(double)> more_;
};

}  // namespace bench
