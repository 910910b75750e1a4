#include <filch/base/thread.hpp>

#include <time.h>

#include <string>

namespace filch::base {

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
