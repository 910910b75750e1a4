#include <filch/sched/steering.hpp>

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#endif

namespace filch::sched {

#if defined(__linux__)
void steering::learn_thread() noexcept {
  const long bytes = ::syscall(SYS_sched_getaffinity, 0, sizeof mask_, mask_);
  thread_ = bytes > 0 ? static_cast<int>(::syscall(SYS_gettid)) : 0;
}

void steering::keep_off_this_cpu() noexcept {
  const int here = ::sched_getcpu();
  if (thread_ == 0 || here < 0 || static_cast<unsigned>(here) >= mask_words * 64) return;
  std::uint64_t rest[mask_words];
  std::memcpy(rest, mask_, sizeof rest);
  rest[here / 64] &= ~(std::uint64_t{1} << (here % 64));
  int left = 0;
  for (const std::uint64_t word : rest) left += std::popcount(word);
  is_steered_ = left != 0 && ::syscall(SYS_sched_setaffinity, thread_, sizeof rest, rest) == 0;
}

void steering::release() noexcept {
  if (!is_steered_) return;
  is_steered_ = false;
  ::syscall(SYS_sched_setaffinity, 0, sizeof mask_, mask_);
}
#else
void steering::learn_thread() noexcept {}
void steering::keep_off_this_cpu() noexcept {}
void steering::release() noexcept {}
#endif

}  // namespace filch::sched
