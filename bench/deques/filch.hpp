#pragma once
#include <filch/queue/deque.hpp>

#include <cstdint>
#include <optional>

namespace bench::deques {

/// The deque that lies under filch's ready queues.
class filch_deque {
 public:
  void push(std::uint64_t item) { items_.push(item); }
  std::optional<std::uint64_t> pop() { return items_.pop(); }
  std::optional<std::uint64_t> steal() {
    const filch::queue::stolen<std::uint64_t> found = items_.steal();
    return found ? std::optional{found.item} : std::nullopt;
  }

 private:
  filch::queue::deque<std::uint64_t> items_;
};

}  // namespace bench::deques
