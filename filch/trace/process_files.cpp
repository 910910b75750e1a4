#include <filch/trace/process_files.hpp>

#include <filch/base/process_stat.hpp>
#include <filch/base/text_file.hpp>
#include <filch/base/thread_words.hpp>
#include <filch/base/words.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include <array>
#include <cstdio>

namespace filch::inline v0_2::trace {
namespace {

using base::known_thread_id;
using base::read_number;
using base::take_word;

std::string folder_of(std::int64_t process_id) {
  return "/proc/" + std::to_string(process_id) + "/";
}

/// A folder for what all its threads share. Ours is that of the calling thread, as the process's
/// own says nothing once the main thread has ended.
std::string shared_folder_of(std::int64_t process_id) {
  return process_id == ::getpid() ? "/proc/thread-self/" : folder_of(process_id);
}

// begin-end rights offset device inode  file
bool parse_line(std::string_view line, mapped_file& into) {
  const std::string_view begin = take_word(line, '-'), end = take_word(line),
                         rights = take_word(line), offset = take_word(line);
  take_word(line);  // device
  take_word(line);  // inode
  const std::size_t at = line.find_first_not_of(' ');
  if (rights.find('x') == rights.npos || at == line.npos || line[at] != '/') return false;
  into.file = line.substr(at);
  return read_number(begin, into.begin, 16) && read_number(end, into.end, 16) &&
         read_number(offset, into.offset, 16) && into.begin < into.end;
}

}  // namespace

std::string own_program() {
  std::array<char, 4096> path;
  const ssize_t length = ::readlink("/proc/thread-self/exe", path.data(), path.size());
  return length <= 0 ? std::string{} : std::string{path.data(), static_cast<std::size_t>(length)};
}

std::string arguments_text(std::int64_t process_id) {
  return base::read_text(shared_folder_of(process_id) + "cmdline").text;
}

std::vector<std::string> arguments_in(std::string_view text) {
  std::vector<std::string> made;
  const std::size_t end = text.find_last_not_of('\0');
  for (std::string_view rest = text.substr(0, end == text.npos ? 0 : end + 1); !rest.empty();)
    made.emplace_back(take_word(rest, '\0'));
  return made;
}

process_use own_use() noexcept {
  rusage used{};
  if (::getrusage(RUSAGE_SELF, &used) != 0) return {};
  const auto ns = [](const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(time.tv_usec) * 1000;
  };
  return {ns(used.ru_utime), ns(used.ru_stime),
          static_cast<std::uint64_t>(used.ru_minflt) + static_cast<std::uint64_t>(used.ru_majflt)};
}

std::string executable_lines(std::int64_t process_id) {
  const std::string all = base::read_text(shared_folder_of(process_id) + "maps").text;
  std::string executable;
  for (std::string_view rest = all; !rest.empty();) {
    const std::string_view line = take_word(rest, '\n');
    mapped_file ignored;
    if (parse_line(line, ignored)) executable.append(line).push_back('\n');
  }
  return executable;
}

// If the main thread has ended before the others, the kernel says 'Z', as for a process that has
// ended.
std::uint64_t process_start(std::int64_t process_id) {
  const auto found = base::read_process_stat(folder_of(process_id) + "stat");
  const bool is_dead = !found || found->state == 'X' || (found->state == 'Z' && found->threads < 2);
  return is_dead ? 0 : found->start_ticks;
}

// Not the owner of /proc/PID: that is root if a process has changed its user. The line is "Uid:"
// and the real, effective, saved and file-system ids, each after a tab.
std::optional<std::uint32_t> user_of(std::int64_t process_id) {
  const std::string all = base::read_text(folder_of(process_id) + "status").text;
  const std::size_t line = all.find("\nUid:\t");
  if (line == all.npos) return {};
  std::string_view rest = std::string_view{all}.substr(line + 6);
  take_word(rest, '\t');
  std::uint64_t effective = 0;
  if (!read_number(take_word(rest, '\t'), effective, 10)) return {};
  return static_cast<std::uint32_t>(effective);
}

kernel_times parse_times(std::string_view schedstat) noexcept {
  kernel_times told;
  if (read_number(take_word(schedstat), told.on_cpu_ns, 10) &&
      read_number(take_word(schedstat), told.run_delay_ns, 10))
    return told;
  return {};
}

// Without the heap: a recorded worker calls this anywhere, also if there is no memory.
kernel_times times_of(std::int64_t process_id, std::int64_t thread_id) noexcept {
  std::array<char, 96> path;
  std::snprintf(path.data(), path.size(), "/proc/%lld/task/%lld/schedstat",
                static_cast<long long>(process_id), static_cast<long long>(thread_id));
  const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::array<char, 128> text;
  const ssize_t length = ::read(file, text.data(), text.size());
  ::close(file);
  return length <= 0 ? kernel_times{}
                     : parse_times({text.data(), static_cast<std::size_t>(length)});
}

std::int64_t own_thread_id() noexcept {
#if defined(__linux__)
  if (known_thread_id == 0) known_thread_id = static_cast<int>(::syscall(SYS_gettid));
#endif
  return known_thread_id;
}
void forget_own_thread_id() noexcept { known_thread_id = 0; }

std::vector<mapped_file> parse_mappings(std::string_view lines) {
  std::vector<mapped_file> modules;
  while (!lines.empty()) {
    mapped_file found;
    if (parse_line(take_word(lines, '\n'), found)) modules.push_back(found);
  }
  return modules;
}

}  // namespace filch::trace
