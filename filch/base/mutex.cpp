#include <filch/base/mutex.hpp>

#include <filch/base/clock.hpp>

namespace filch::base {

void mutex::lock_slow() noexcept {
  const int spins =
      current_simulation() == nullptr ? 64 : 0;  // a guess: about the length of the longest section without a system call
  for (int i = 0; i < spins; ++i) {
    std::uint32_t seen = open;
    if (state_.load(std::memory_order_relaxed) == open && state_.compare_exchange(seen, held, std::memory_order_acquire))
      return;
    cpu_relax();
  }
  while (state_.exchange(contended, std::memory_order_acquire) != open) {
    futex_wait(state_, contended);
  }
}

}  // namespace filch::base
