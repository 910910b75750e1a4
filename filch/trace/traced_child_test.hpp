#pragma once
// What tests of the recorder do with another process that records.
#include <filch/trace/own_file_test.hpp>
#include <filch/trace/segment.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>

namespace filch::inline v0_2::trace {

/// A traced program, killed at the latest when the test ends.
class child {
 public:
  child(const char* mode, const char* size, const std::string& trace) : process_{::fork()} {
    if (process_ != 0) return;
    ::setenv("FILCH_TRACE", trace.c_str(), 1);
    ::close(STDOUT_FILENO);
    ::execl(FILCH_TRACED_PROGRAM, "traced_program", mode, size, static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ~child() {
    if (process_ > 0) kill();
    remove_segment(number_);
  }
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  pid_t number() const { return number_; }
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  int kill() {
    ::kill(process_, SIGKILL);
    return wait();
  }

 private:
  pid_t process_;
  const pid_t number_ = process_;
};

}  // namespace filch::trace
