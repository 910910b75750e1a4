#pragma once
#include <compare/scheduler.hpp>

#include <deque>

namespace filch::compare {

/// A worker whose jobs nobody else can reach: no locks, no atomics, last in first out.
/// That order keeps it small (depth times children); the other order would hold whole levels of the
/// tree.
class alignas(base::cache_line_bytes) private_stack final : public worker {
 public:
  using worker::worker;

  void spawn(const job& child) override { jobs_.push_back(child); }

  /// Runs jobs until none is left.
  void drain() noexcept {
    while (!jobs_.empty()) run(pop());
  }
  std::size_t size() const noexcept { return jobs_.size(); }
  job pop() noexcept {
    const job youngest = jobs_.back();
    jobs_.pop_back();
    return youngest;
  }
  job pop_oldest() noexcept {
    const job oldest = jobs_.front();
    jobs_.pop_front();
    return oldest;
  }

 private:
  std::deque<job> jobs_;
};

}  // namespace filch::compare
