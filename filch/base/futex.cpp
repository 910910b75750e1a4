#include <filch/base/clock.hpp>
#include <filch/base/futex.hpp>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#else
#include <chrono>
#include <thread>
#endif

namespace filch::inline v0_2::base {
namespace {

#if defined(__linux__)
static_assert(sizeof(atomic<std::uint32_t>) == sizeof(std::uint32_t),
              "the kernel reads the word at its address");

long futex(atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) noexcept {
  return ::syscall(SYS_futex, &word, operation, value, timeout, nullptr, FUTEX_BITSET_MATCH_ANY);
}

void sleep_on(atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  futex(word, FUTEX_WAIT_PRIVATE, expected, nullptr);
}

// Until a moment on the monotonic clock, which this operation takes. Each signal ends the call, and
// a duration would then begin anew.
bool sleep_on_for(atomic<std::uint32_t>& word, std::uint32_t expected,
                  std::uint64_t nanoseconds) noexcept {
  constexpr std::uint64_t second = 1'000'000'000, longest = std::uint64_t{1} << 62;
  const std::uint64_t end = now_ns() + std::min(nanoseconds, longest);
  const timespec until{static_cast<std::time_t>(end / second), static_cast<long>(end % second)};
  while (futex(word, FUTEX_WAIT_BITSET_PRIVATE, expected, &until) != 0) {
    if (errno != EINTR) return errno != ETIMEDOUT;
  }
  return true;
}

void rouse_one(atomic<std::uint32_t>& word) noexcept {
  futex(word, FUTEX_WAKE_PRIVATE, 1, nullptr);
}

#else
// A system without futex polls with growing sleeps: correct everywhere, efficient nowhere. A port
// brings its own call (`os_sync_wait_on_address` on macOS, `WaitOnAddress` on Windows).
bool sleep_on_for(atomic<std::uint32_t>& word, std::uint32_t expected,
                  std::uint64_t nanoseconds) noexcept {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(nanoseconds);
  auto nap = std::chrono::microseconds(1);
  // Relaxed: the caller reads the word again afterwards, with the order it needs
  while (word.load(relaxed) == expected) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(nap);
    if (nap < std::chrono::milliseconds(1)) nap *= 2;
  }
  return true;
}

void sleep_on(atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  while (!sleep_on_for(word, expected, 1'000'000'000)) {
  }
}

void rouse_one(atomic<std::uint32_t>&) noexcept {}
#endif

// No other thread runs between the check and the wait.
bool wait_simulated(simulation& sim, atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint64_t nanoseconds) noexcept {
  return word.load(relaxed) != expected || sim.wait(&word, nanoseconds);
}

}  // namespace

void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  if (simulation* const sim = current_simulation()) {
    wait_simulated(*sim, word, expected, simulation::no_deadline);
  } else {
    sleep_on(word, expected);
  }
}

bool futex_wait_for(atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint64_t nanoseconds) noexcept {
  simulation* const sim = current_simulation();
  return sim != nullptr ? wait_simulated(*sim, word, expected, nanoseconds)
                        : sleep_on_for(word, expected, nanoseconds);
}

void futex_wake_one(atomic<std::uint32_t>& word) noexcept {
  if (simulation* const sim = current_simulation()) {
    sim->wake_one(&word);
  } else {
    rouse_one(word);
  }
}

}  // namespace filch::base
