#include <filch/base/mutex.hpp>

#include <filch/base/clock.hpp>

namespace filch::base {

void mutex::lock_slow() noexcept {
  constexpr int spins = 64;  // a guess: about the length of the longest section without a system call
  for (int i = 0; i < spins; ++i) {
    if (state_.load(std::memory_order_relaxed) == open && try_lock()) return;
    cpu_relax();
  }
  while (state_.exchange(contended, std::memory_order_acquire) != open) {
    futex_wait(state_, contended);
  }
}

}  // namespace filch::base
