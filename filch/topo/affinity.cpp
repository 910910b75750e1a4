#include <filch/topo/affinity.hpp>

#include <filch/base/process_stat.hpp>
#include <filch/topo/cpu_list.hpp>
#include <filch/topo/cpu_mask.hpp>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace filch::inline v0_2::topo {
namespace {

#if defined(__linux__)

constexpr bool is_linux = true;

int own_number() noexcept { return static_cast<int>(::syscall(SYS_gettid)); }
std::string file_of(int thread) { return "/proc/self/task/" + std::to_string(thread) + "/stat"; }

// The raw calls: the C library's wrappers take a set of 1024 CPUs, or more only through casts.
int errno_of(long result) { return result < 0 ? errno : 0; }

int get_affinity(int thread, cpu_mask& mask) {
  return ask_with_room(mask, [thread](cpu_mask& room) {
    return errno_of(
        ::syscall(SYS_sched_getaffinity, thread, room.size() * sizeof(room[0]), room.data()));
  });
}

int set_affinity(const cpu_mask& mask) {
  return errno_of(::syscall(SYS_sched_setaffinity, 0, mask.size() * sizeof(mask[0]), mask.data()));
}

/// The number of a thread that has ended may by now belong to a thread of another process.
int find_own_thread(int thread) { return errno_of(::syscall(SYS_tgkill, ::getpid(), thread, 0)); }

#else

constexpr bool is_linux = false;
int own_number() noexcept { return 0; }
std::string file_of(int) { return {}; }
int get_affinity(int, cpu_mask&) { return ENOSYS; }
int set_affinity(const cpu_mask&) { return ENOSYS; }
int find_own_thread(int) { return ENOSYS; }

#endif

void throw_unless_zero(int error, const std::string& what) {
  if (error != 0) {
    throw std::system_error{error, std::generic_category(), what};
  }
}

/// Zero if the kernel does not tell.
std::uint64_t start_of(int thread) {
  const auto found = base::read_process_stat(file_of(thread));
  return found ? found->start_ticks : 0;
}

}  // namespace

bool has_affinity() noexcept { return is_linux; }

thread_id current_thread() { return {own_number(), start_of(own_number())}; }

std::vector<unsigned> affinity_of(const thread_id& thread) {
  const std::string what = "affinity of thread " + std::to_string(thread.number);
  throw_unless_zero(find_own_thread(thread.number), what);
  cpu_mask mask;
  throw_unless_zero(get_affinity(thread.number, mask), what);
  const bool is_another = thread.start_ticks != 0 && start_of(thread.number) != thread.start_ticks;
  throw_unless_zero(is_another ? ESRCH : 0, what);
  return members_of(mask);
}

std::vector<unsigned> current_affinity() { return affinity_of({.number = own_number()}); }

void set_current_affinity(std::span<const unsigned> cpus) {
  const std::string what = "running on CPUs \"" + format_cpu_list(cpus) + "\"";
  const bool numbered =
      std::ranges::all_of(cpus, [](unsigned cpu) { return cpu < max_cpu_number; });
  throw_unless_zero(numbered ? 0 : EINVAL, what);
  throw_unless_zero(set_affinity(mask_of(cpus)), what);
}

void pin_current_thread(unsigned os_index) { set_current_affinity({&os_index, 1}); }

}  // namespace filch::topo
