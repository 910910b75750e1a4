#include <filch/base/thread.hpp>

#include <string>

namespace filch::base {

void throw_thread_refused(unsigned number, const std::system_error& reason) {
  throw std::system_error(reason.code(), "filch: cannot start worker thread " + std::to_string(number) +
                                             " (see ulimit -u and the pids limit of the container)");
}

}  // namespace filch::base
