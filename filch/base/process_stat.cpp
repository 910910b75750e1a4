#include <filch/base/process_stat.hpp>

#include <filch/base/text_file.hpp>
#include <filch/base/words.hpp>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

namespace filch::inline v0_2::base {

// pid (name) state ... : the name may contain anything, so fields are counted behind its end.
std::optional<process_stat> parse_process_stat(std::string_view text) {
  constexpr int state_field = 3, threads_field = 20, start_field = 22;
  const std::size_t name_end = text.rfind(')');
  if (name_end == text.npos || name_end + 2 >= text.size() || text[name_end + 2] == ' ') return {};
  std::string_view rest = text.substr(name_end + 2);
  process_stat found{.state = take_word(rest).front()};
  bool is_understood = true;
  for (int field = state_field + 1; field <= start_field; ++field) {
    const std::string_view word = take_word(rest);
    if (field == threads_field) is_understood = is_understood && read_number(word, found.threads);
    if (field == start_field) is_understood = is_understood && read_number(word, found.start_ticks);
  }
  return is_understood ? std::optional{found} : std::nullopt;
}

std::optional<process_stat> read_process_stat(const std::string& path) {
  return parse_process_stat(read_text(path).text);
}

std::string_view purpose_of_system_call(std::int64_t number) noexcept {
#if defined(__linux__)
  switch (number) {
    case SYS_futex: return "a lock or a wait (futex)";
    case SYS_nanosleep:
    case SYS_clock_nanosleep: return "a sleep (nanosleep)";
    case SYS_read:
    case SYS_write:
    case SYS_pread64:
    case SYS_pwrite64: return "input or output (read, write)";
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_accept4: return "a socket";
    case SYS_ppoll:
#if defined(SYS_poll)  // newer processors have those below alone
    case SYS_poll:
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait: return "a poll";
    default: break;
  }
#endif
  return {};
}

}  // namespace filch::base
