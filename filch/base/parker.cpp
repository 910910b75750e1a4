#include <filch/base/parker.hpp>

namespace filch::base {

void parker::park() noexcept {
  std::uint32_t seen = empty;
  if (state_.compare_exchange(seen, sleeping, std::memory_order_acquire)) {
    while (state_.load(std::memory_order_relaxed) == sleeping) {
      futex_wait(state_, sleeping);
    }
  }
  state_.exchange(empty, std::memory_order_acquire);
}

bool parker::park_for(std::uint64_t nanoseconds) noexcept {
  std::uint32_t seen = empty;
  if (state_.compare_exchange(seen, sleeping, std::memory_order_acquire)) {
    while (state_.load(std::memory_order_relaxed) == sleeping) {
      if (!futex_wait_for(state_, sleeping, nanoseconds)) break;
    }
  }
  return state_.exchange(empty, std::memory_order_acquire) == token;
}

void parker::unpark() noexcept {
  if (state_.exchange(token, std::memory_order_release) == sleeping) {
    futex_wake_one(state_);
  }
}

}  // namespace filch::base
