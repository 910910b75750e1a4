#include <filch/span/run_delay.hpp>

#include <filch/trace/process_files.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace filch::inline v0_2::span {

run_delay::run_delay() noexcept
    : file_{::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)} {
  before_ = read();
}

run_delay::~run_delay() {
  if (file_ >= 0) ::close(file_);
}

std::uint64_t run_delay::since_last() noexcept {
  const std::uint64_t now = read();
  return now - std::exchange(before_, now);
}

std::uint64_t run_delay::read() const noexcept {
  char text[96];
  const ssize_t length = file_ < 0 ? 0 : ::pread(file_, text, sizeof text, 0);
  return trace::parse_times({text, length > 0 ? static_cast<std::size_t>(length) : 0}).run_delay_ns;
}

}  // namespace filch::span
