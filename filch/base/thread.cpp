#include <filch/base/thread.hpp>

#include <time.h>

#include <string>
#include <utility>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace filch::base {
namespace {

#if defined(__linux__) && defined(SYS_sched_setattr)
/// `sched_attr` of sched_setattr(2), in its first version. The C library of Debian 12 has none.
struct scheduling {
  std::uint32_t size = sizeof(scheduling);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime_ns = 0;  ///< Of a thread of the ordinary policy: its turn. 0: the kernel's choice.
  std::uint64_t deadline_ns = 0;
  std::uint64_t period_ns = 0;
};

/// A turn, and how much later than asked for the sleeps of its thread may end.
struct turn {
  std::uint64_t length_ns;
  unsigned long slack_ns;
};

/// Returns the turn that the calling thread had. Leaves a thread alone that runs by another policy than the ordinary one.
turn set_turn(turn wanted) noexcept {
  scheduling mine;
  turn before{0, static_cast<unsigned long>(::prctl(PR_GET_TIMERSLACK))};
  ::prctl(PR_SET_TIMERSLACK, wanted.slack_ns);
  if (::syscall(SYS_sched_getattr, 0, &mine, sizeof mine, 0) != 0 || mine.policy != 0) return before;
  before.length_ns = std::exchange(mine.runtime_ns, wanted.length_ns);
  static_cast<void>(::syscall(SYS_sched_setattr, 0, &mine, 0));
  return before;
}
constexpr turn shortest_turn{100'000, 1};  // shorter ones Linux does not give
#else
struct turn {};
turn set_turn(turn wanted) noexcept { return wanted; }
constexpr turn shortest_turn{};
#endif

constinit thread_local turn_length turns_now = turn_length::usual;
constinit thread_local turn usual_turn{};

}  // namespace

void take_turns_of(turn_length wanted) noexcept {
  if (turns_now == wanted || current_simulation() != nullptr) return;
  turns_now = wanted;
  if (wanted == turn_length::shortest) {
    usual_turn = set_turn(shortest_turn);
  } else {
    set_turn(usual_turn);
  }
}

std::uint64_t own_cpu_ns() noexcept {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(used.tv_nsec);
}

void throw_thread_refused(unsigned number, const std::system_error& reason) {
  throw std::system_error(reason.code(), "filch: cannot start worker thread " + std::to_string(number) +
                                             " (see ulimit -u and the pids limit of the container)");
}

}  // namespace filch::base
