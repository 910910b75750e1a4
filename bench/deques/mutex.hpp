#pragma once
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace bench::deques {

/// What one writes first.
class mutex_deque {
 public:
  void push(std::uint64_t item) {
    const std::lock_guard lock{mutex_};
    items_.push_back(item);
  }
  std::optional<std::uint64_t> pop() {
    const std::lock_guard lock{mutex_};
    if (items_.empty()) return std::nullopt;
    const std::uint64_t item = items_.back();
    items_.pop_back();
    return item;
  }
  std::optional<std::uint64_t> steal() {
    const std::lock_guard lock{mutex_};
    if (items_.empty()) return std::nullopt;
    const std::uint64_t item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::deque<std::uint64_t> items_;
};

}  // namespace bench::deques
