#include <filch/base/stack_overflow.hpp>

#include <filch/base/panic.hpp>
#include <filch/base/simulation.hpp>
#include <filch/base/thread_pointer.hpp>

#if defined(__linux__)
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <new>
#endif

namespace filch::inline v0_2::base {

#if defined(__linux__)
namespace {

/// Lies at the front of the memory on which a thread handles the signal, since its usual stack has
/// no room left then.
struct watched_stack {
  static constexpr std::size_t bytes = 64 * 1024;

  std::uintptr_t lowest = 0;
  std::size_t size = 0;
  std::size_t (*depth)() noexcept = nullptr;

  bool is_exceeded_at(const void* fault) const noexcept {
    // A frame may be large; Linux keeps a gap under the first thread's stack
    constexpr std::uintptr_t below = 1 << 20, above = 1 << 14;
    const auto at = reinterpret_cast<std::uintptr_t>(fault);
    return at + below >= lowest && at < lowest + above;
  }
};

/// For threads whose handlers run elsewhere, or for which there is no memory.
constinit watched_stack not_watched;

void end_watch(void* of) noexcept {
  if (of == &not_watched) return;
  ::stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
  ::munmap(of, watched_stack::bytes);
}

const thread_pointer& watched() noexcept {
  static const thread_pointer all{&end_watch};
  return all;
}

// On return a faulting instruction is tried again, and the signal then has its default effect. A
// signal that was sent is sent again.
void handle(int signal, siginfo_t* what, void*) noexcept {
  const auto* const mine = static_cast<const watched_stack*>(watched().get());
  if (mine != nullptr && mine->is_exceeded_at(what->si_addr)) {
    char text[320];
    std::snprintf(
        text, sizeof text,
        "the stack of this thread (%zu KiB) is full, %zu forks deep. Recurse less deep: below some "
        "depth make plain "
        "calls, or spawn a job of a task_group, which has another stack. Or take a larger one: "
        "pool_options::stack_bytes for workers, ulimit -s for the first thread.",
        mine->size / 1024, mine->depth());
    last_words(text);
  }
  struct ::sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
  if (what->si_code <= 0) ::raise(signal);  // delivered on return
}

bool handles() noexcept {
  static const bool is_ours = [] {
    struct ::sigaction before {};
    if (::sigaction(SIGSEGV, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) != 0 ||
        before.sa_handler != SIG_DFL)
      return false;
    struct ::sigaction mine {};
    mine.sa_sigaction = &handle;
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
    return ::sigaction(SIGSEGV, &mine, nullptr) == 0;
  }();
  return is_ours;
}

bool read_own_stack(watched_stack& into) noexcept {
  ::pthread_attr_t own;
  void* lowest = nullptr;
  if (::pthread_getattr_np(::pthread_self(), &own) != 0) return false;
  const bool is_read = ::pthread_attr_getstack(&own, &lowest, &into.size) == 0;
  ::pthread_attr_destroy(&own);
  into.lowest = reinterpret_cast<std::uintptr_t>(lowest);
  return is_read;
}

void begin_watch(std::size_t (*depth)() noexcept) noexcept {
  static_cast<void>(watched().set(&not_watched));
  ::stack_t before{};
  if (::sigaltstack(nullptr, &before) != 0 || (before.ss_flags & SS_DISABLE) == 0) return;
  void* const memory = ::mmap(nullptr, watched_stack::bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  auto* const mine = ::new (memory) watched_stack;
  mine->depth = depth;
  ::stack_t here{};
  here.ss_sp = mine + 1;
  here.ss_size = watched_stack::bytes - sizeof(watched_stack);
  if (!read_own_stack(*mine) || ::sigaltstack(&here, nullptr) != 0 || !watched().set(mine))
    end_watch(memory);
}

}  // namespace

void tell_of_stack_overflow(std::size_t (*depth)() noexcept) noexcept {
  if (watched().get() == nullptr && current_simulation() == nullptr && handles())
    begin_watch(depth);
}
#else
void tell_of_stack_overflow(std::size_t (*)() noexcept) noexcept {}
#endif

}  // namespace filch::base
