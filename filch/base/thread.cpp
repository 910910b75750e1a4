#include <filch/base/thread.hpp>

#include <time.h>

#include <string>

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
  std::uint64_t runtime_ns = 0;  ///< Of a thread of the ordinary policy: its turn. 0: the usual one.
  std::uint64_t deadline_ns = 0;
  std::uint64_t period_ns = 0;
};

/// Leaves a thread alone that runs by another policy than the ordinary one. `slack_ns`: how much later its sleeps may end; 0: as usual.
void set_turn(std::uint64_t turn_ns, unsigned long slack_ns) noexcept {
  ::prctl(PR_SET_TIMERSLACK, slack_ns);
  scheduling mine;
  if (::syscall(SYS_sched_getattr, 0, &mine, sizeof mine, 0) != 0 || mine.policy != 0) return;
  mine.runtime_ns = turn_ns;
  static_cast<void>(::syscall(SYS_sched_setattr, 0, &mine, 0));
}
#else
void set_turn(std::uint64_t, unsigned long) noexcept {}
#endif

constexpr std::uint64_t shortest_turn_ns = 100'000;  // less than that Linux does not give
constinit thread_local turn_length turns_now{0xff};  // not known: a thread has those of who started it

}  // namespace

void take_turns_of(turn_length wanted) noexcept {
  if (turns_now == wanted || current_simulation() != nullptr) return;
  turns_now = wanted;
  wanted == turn_length::shortest ? set_turn(shortest_turn_ns, 1) : set_turn(0, 0);
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
