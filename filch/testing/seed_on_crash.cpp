#include <filch/base/sync.hpp>
#include <filch/testing/seed_on_crash.hpp>

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace filch::testing {
namespace {

constexpr int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
struct sigaction before[std::size(deadly)];
base::atomic<std::uint64_t> current_seed{0};

// Only what a signal handler may call.
void say(const char* text, std::size_t length) noexcept {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, length);
}

void say_seed() noexcept {
  base::simulated = nullptr;  // whatever this thread was doing, it does not come back to it
  char digits[20];
  char* first = digits + sizeof digits;
  std::uint64_t rest = current_seed.load(base::relaxed);  // relaxed: of this thread's own run it has seen the number
  do {
    *--first = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  constexpr char words[] = "filch: testing: the process dies while it runs seed ";
  say(words, sizeof words - 1);
  say(first, static_cast<std::size_t>(digits + sizeof digits - first));
  say("\n", 1);
}

void on_signal(int number) {
  say_seed();
  for (std::size_t i = 0; i < std::size(deadly); ++i) {
    if (deadly[i] == number) ::sigaction(number, &before[i], nullptr);
  }
  // Back to where it failed, to fail again under the handler that was there before.
}

}  // namespace

seed_on_crash::seed_on_crash() noexcept {
  struct sigaction mine;
  std::memset(&mine, 0, sizeof mine);
  mine.sa_handler = on_signal;
  for (std::size_t i = 0; i < std::size(deadly); ++i) ::sigaction(deadly[i], &mine, &before[i]);
}

seed_on_crash::~seed_on_crash() {
  for (std::size_t i = 0; i < std::size(deadly); ++i) ::sigaction(deadly[i], &before[i], nullptr);
}

void seed_on_crash::running(std::uint64_t seed) noexcept { current_seed.store(seed, base::relaxed); }

}  // namespace filch::testing
