#pragma once
// What is measured again and again, and which of it counts.
#include <filch/base/clock.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace filch::cli {

inline double ns_since(std::uint64_t begin_ns) {
  return static_cast<double>(base::now_ns() - begin_ns);
}

/// Measurements of one figure.
class samples {
 public:
  /// `is_disturbed`: a thread of the measurement lost its processor, so the value does not count.
  void add(double value, bool is_disturbed = false) {
    ++seen_;
    if (!is_disturbed) kept_.push_back(value);
  }
  /// The value that `share` of those that count lie below, or 0 if none counts.
  double quantile(double share) const {
    if (kept_.empty()) return 0;
    std::vector<double> all = kept_;
    const auto at =
        all.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size() - 1));
    std::nth_element(all.begin(), at, all.end());
    return *at;
  }
  double median() const { return quantile(0.5); }
  std::size_t kept() const noexcept { return kept_.size(); }
  std::size_t seen() const noexcept { return seen_; }

 private:
  std::vector<double> kept_;
  std::size_t seen_ = 0;
};

/// Whether the calling thread has lost its processor since this was made.
class preemption_watch {
 public:
  preemption_watch() noexcept : before_{count()} {}
  bool was_preempted() const noexcept { return count() != before_; }

 private:
  static long count() noexcept;
  const long before_;
};

/// Takes part of the samples of one figure; called once a round.
struct probe {
  std::string_view key;  ///< What it measures: a key of a machine file, or a part of one.
  std::string how;       ///< In a few words, for the comment beside the figure.
  std::function<void(samples&)> take;
  samples got = {};
};

}  // namespace filch::cli
