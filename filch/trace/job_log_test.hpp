#pragma once
// A log that a program writes of its own jobs, in a file that it shares with the test of the
// recorder: a second witness of the same run.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace filch::inline v0_2::trace {

/// One job. Written by the thread that runs it; a time is stored when it is known, so a reader
/// finds those of a job that was cut off at 0.
struct logged_job {
  std::atomic<std::int64_t> thread;  ///< As the kernel knows it.
  std::atomic<std::uint64_t> kind;   ///< Which of its functions, from 1 on.
  std::atomic<std::uint64_t> begin_ns, end_ns;
};

/// As many jobs as there is room for, in the order in which they began.
class job_log {
 public:
  /// Fewer than a ring holds records of.
  static constexpr std::size_t most = std::size_t{1} << 13;

  explicit job_log(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ::ftruncate(file, sizeof(content)) != 0) return;
    void* const at = ::mmap(nullptr, sizeof(content), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (at != MAP_FAILED) all_ = static_cast<content*>(at);
  }
  ~job_log() {
    if (all_ != nullptr) ::munmap(all_, sizeof(content));
  }
  job_log(const job_log&) = delete;
  job_log& operator=(const job_log&) = delete;

  bool is_open() const { return all_ != nullptr; }
  /// Null where the log is full.
  logged_job* add() {
    const std::size_t mine = all_->count.fetch_add(1);
    return mine < most ? &all_->jobs[mine] : nullptr;
  }
  std::size_t count() const { return all_->count; }
  const logged_job& operator[](std::size_t index) const { return all_->jobs[index]; }

 private:
  /// All zero, as a new file is.
  struct content {
    std::atomic<std::size_t> count;
    logged_job jobs[most];
  };
  content* all_ = nullptr;
};

}  // namespace filch::trace
