#include <filch/base/futex.hpp>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#else
#include <chrono>
#include <thread>
#endif

namespace filch::base {

#if defined(__linux__)
namespace {

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* timeout) noexcept {
  return ::syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

}  // namespace

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  futex(word, FUTEX_WAIT_PRIVATE, expected, nullptr);
}

bool futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t nanoseconds) noexcept {
  constexpr std::uint64_t second = 1'000'000'000;
  const timespec timeout{static_cast<std::time_t>(nanoseconds / second), static_cast<long>(nanoseconds % second)};
  return futex(word, FUTEX_WAIT_PRIVATE, expected, &timeout) == 0 || errno != ETIMEDOUT;
}

void futex_wake_one(std::atomic<std::uint32_t>& word) noexcept { futex(word, FUTEX_WAKE_PRIVATE, 1, nullptr); }

#else
// A system without futex polls with growing naps: correct everywhere, thrifty nowhere. A port brings its own call
// (`os_sync_wait_on_address` on macOS, `WaitOnAddress` on Windows).
bool futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t nanoseconds) noexcept {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(nanoseconds);
  auto nap = std::chrono::microseconds(1);
  while (word.load(std::memory_order_acquire) == expected) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(nap);
    if (nap < std::chrono::milliseconds(1)) nap *= 2;
  }
  return true;
}

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  while (!futex_wait_for(word, expected, 1'000'000'000)) {
  }
}

void futex_wake_one(std::atomic<std::uint32_t>&) noexcept {}
#endif

}  // namespace filch::base
