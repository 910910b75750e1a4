#include <filch/base/thread.hpp>

#include <filch/base/stay_loaded.hpp>
#include <filch/base/thread_pointer.hpp>

#include <pthread.h>
#include <time.h>

#include <cstdio>
#include <functional>
#include <new>
#include <string>
#include <utility>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define FILCH_HAS_FAKE_STACKS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FILCH_HAS_FAKE_STACKS
#endif
#endif
#if defined(FILCH_HAS_FAKE_STACKS)
#include <sanitizer/asan_interface.h>
#endif

namespace filch::inline v0_2::base {
namespace {

#if defined(__linux__) && defined(SYS_sched_setattr)
/// `sched_attr` of sched_setattr(2), in its first version. The C library of Debian 12 has none.
struct scheduling {
  std::uint32_t size = sizeof(scheduling);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  /// The time slice of a thread of the ordinary policy. 0: the kernel's choice.
  std::uint64_t runtime_ns = 0;
  std::uint64_t deadline_ns = 0;
  std::uint64_t period_ns = 0;
};

/// A time slice, and how much later than requested the sleeps of its thread may end.
struct turn {
  std::uint64_t length_ns;
  unsigned long slack_ns;
};

/// Returns the previous time slice of the calling thread. Keeps the slice of a thread with another
/// policy than the ordinary one.
turn set_turn(turn wanted) noexcept {
  scheduling mine;
  turn before{0, static_cast<unsigned long>(::prctl(PR_GET_TIMERSLACK))};
  ::prctl(PR_SET_TIMERSLACK, wanted.slack_ns);
  if (::syscall(SYS_sched_getattr, 0, &mine, sizeof mine, 0) != 0 || mine.policy != 0)
    return before;
  before.length_ns = std::exchange(mine.runtime_ns, wanted.length_ns);
  static_cast<void>(::syscall(SYS_sched_setattr, 0, &mine, 0));
  return before;
}
constexpr turn shortest_turn{100'000, 1};  // Linux does not give shorter ones
#else
struct turn {};
turn set_turn(turn wanted) noexcept { return wanted; }
constexpr turn shortest_turn{};
#endif

/// The usual time slice of a thread that has short ones now, else null.
const thread_pointer& usual_turns() noexcept {
  static const thread_pointer all{[](void* usual) { delete static_cast<turn*>(usual); }};
  return all;
}

}  // namespace

bool is_on_this_stack(const void* object) noexcept {
#if defined(FILCH_HAS_FAKE_STACKS)
  if (::__asan_addr_is_in_fake_stack(::__asan_get_current_fake_stack(), const_cast<void*>(object),
                                     nullptr, nullptr))
    return true;
#endif
#if defined(__linux__)
  ::pthread_attr_t own;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  if (::pthread_getattr_np(::pthread_self(), &own) != 0) return false;
  ::pthread_attr_getstack(&own, &lowest, &bytes);
  ::pthread_attr_destroy(&own);
  const std::less<const void*> is_below;
  return !is_below(object, lowest) && is_below(object, static_cast<const char*>(lowest) + bytes);
#else
  static_cast<void>(object);
  return false;
#endif
}

void take_turns_of(turn_length wanted) noexcept {
  if (current_simulation() != nullptr) return;
  const thread_pointer& mine = usual_turns();
  auto* const usual = static_cast<turn*>(mine.get());
  if ((usual != nullptr) == (wanted == turn_length::shortest)) return;
  if (usual != nullptr) {
    set_turn(*usual);
    delete usual;
    static_cast<void>(mine.set(nullptr));  // needs no memory
    return;
  }
  auto* const kept = new (std::nothrow) turn;
  if (kept == nullptr || !mine.set(kept)) return delete kept;  // keeps its time slices
  *kept = set_turn(shortest_turn);
}

std::uint64_t own_cpu_ns() noexcept {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(used.tv_nsec);
}

void throw_thread_refused(unsigned number, std::error_code reason) {
  throw std::system_error(
      reason, "filch: cannot start worker thread " + std::to_string(number) +
                  " (see ulimit -u and the pids limit of the container; for its stack, ulimit -v "
                  "and pool_options::stack_bytes)");
}

native_thread::native_thread(unsigned number, const thread_attributes& with, void* (*run)(void*),
                             void* self) {
  stay_loaded();
  pthread_attr_t attributes;
  int error = ::pthread_attr_init(&attributes);
  if (error == 0) {
    constexpr std::size_t whole = 65536;  // some systems take only whole pages
    if (with.stack_bytes != 0)
      error =
          ::pthread_attr_setstacksize(&attributes, (with.stack_bytes + whole - 1) / whole * whole);
    sigset_t before;
    // Before it begins, so that no signal finds it with another mask.
    if (with.blocked) ::pthread_sigmask(SIG_SETMASK, &*with.blocked, &before);
    if (error == 0) error = ::pthread_create(&id_, &attributes, run, self);
    if (with.blocked) ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::pthread_attr_destroy(&attributes);
  }
  if (error != 0) throw_thread_refused(number, {error, std::generic_category()});
  is_joinable_ = true;
}

sigset_t blocked_signals() noexcept {
  sigset_t mine;
  ::sigemptyset(&mine);
  ::pthread_sigmask(SIG_BLOCK, nullptr, &mine);
  return mine;
}

sigset_t all_signals() noexcept {
  sigset_t all;
  ::sigfillset(&all);
  for (const int kept :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF, SIGVTALRM})
    ::sigdelset(&all, kept);
  return all;
}

#if defined(__linux__)
void name_thread(const char* prefix, unsigned number) noexcept {
  constexpr std::size_t most = 15;
  const std::string suffix = "-" + std::to_string(number);  // short: in the object itself
  char name[most + 1];
  std::snprintf(name, sizeof name, "%.*s%s", static_cast<int>(most - suffix.size()), prefix,
                suffix.c_str());
  ::prctl(PR_SET_NAME, name);
}
int current_nice() noexcept { return ::getpriority(PRIO_PROCESS, 0); }
bool set_nice(int wanted) noexcept { return ::setpriority(PRIO_PROCESS, 0, wanted) == 0; }
#else
void name_thread(const char*, unsigned) noexcept {}
int current_nice() noexcept { return 0; }
bool set_nice(int) noexcept { return false; }
#endif

}  // namespace filch::base
