#include <filch/base/membarrier.hpp>

#include <filch/base/panic.hpp>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace filch::inline v0_2::base {
namespace {

#if defined(__linux__)
long membarrier(int command) noexcept { return ::syscall(SYS_membarrier, command, 0, 0); }

bool register_process() noexcept {
  return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
}
#endif

}  // namespace

bool has_asymmetric_fence() noexcept {
  if (current_simulation() != nullptr) return true;
#if defined(__linux__)
  static const bool registered = register_process();
  return registered;
#else
  return false;
#endif
}

void heavy_fence() noexcept {
  // One thread runs at a time, and each sees all that was done before.
  if (simulation* const sim = current_simulation())
    return sim->step({"heavy_fence", effect::interrupts}, {});
#if defined(__linux__)
  const long result = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  FILCH_ASSERT(
      result == 0,
      "membarrier, which was allowed before; a sandbox that is set up later must allow it, too",
      result, errno);
#else
  FILCH_ASSERT(false, "heavy_fence called where has_asymmetric_fence() is false", 0);
#endif
}

}  // namespace filch::base
