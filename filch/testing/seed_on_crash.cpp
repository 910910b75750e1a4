#include <filch/base/mutex.hpp>
#include <filch/base/sync.hpp>
#include <filch/testing/seed_on_crash.hpp>

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace filch::inline v0_2::testing {
namespace {

constexpr int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
struct sigaction before[std::size(deadly)];
base::atomic<std::uint64_t> current_seed{0};
base::mutex handlers_lock;
/// Explorations side by side install the handler once, or one would save another's as the previous.
int explorations FILCH_GUARDED_BY(handlers_lock) = 0;

// Only what a signal handler may call.
void say(const char* text, std::size_t length) noexcept {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, length);
}

void say_seed() noexcept {
  base::simulated = nullptr;  // this thread does not return to what it was doing
  char digits[20];
  char* first = digits + sizeof digits;
  // relaxed: this thread has seen the number of its own run
  std::uint64_t rest = current_seed.load(base::relaxed);
  do {
    *--first = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  constexpr char words[] = "filch: testing: the process dies while it runs seed ";
  say(words, sizeof words - 1);
  say(first, static_cast<std::size_t>(digits + sizeof digits - first));
  say("\n", 1);
}

void on_signal(int number, siginfo_t* about, void*) {
  say_seed();
  for (std::size_t i = 0; i < std::size(deadly); ++i) {
    if (deadly[i] == number) ::sigaction(number, &before[i], nullptr);
  }
  // Back to where it failed, to fail again under the previous handler. A signal that was sent, as
  // by abort(), does not come again by itself.
  if (about->si_code <= 0) ::raise(number);
}

}  // namespace

seed_on_crash::seed_on_crash() noexcept {
  base::lock_guard guard{handlers_lock};
  if (explorations++ > 0) return;
  struct sigaction mine;
  std::memset(&mine, 0, sizeof mine);
  mine.sa_sigaction = on_signal;
  mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (std::size_t i = 0; i < std::size(deadly); ++i) ::sigaction(deadly[i], &mine, &before[i]);
}

seed_on_crash::~seed_on_crash() {
  base::lock_guard guard{handlers_lock};
  if (--explorations > 0) return;
  for (std::size_t i = 0; i < std::size(deadly); ++i) ::sigaction(deadly[i], &before[i], nullptr);
}

void seed_on_crash::running(std::uint64_t seed) noexcept {
  current_seed.store(seed, base::relaxed);
}

}  // namespace filch::testing
