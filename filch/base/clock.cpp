#include <filch/base/clock.hpp>

#include <chrono>

namespace filch::inline v0_2::base {

std::uint64_t now_ns() noexcept {
  if (simulation* const sim = current_simulation()) return sim->now_ns();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

}  // namespace filch::base
