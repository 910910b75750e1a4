#include <tests/planted_faults/planted.hpp>

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <mutex>
#include <system_error>

namespace planted {
namespace {

struct speeds {
  std::mutex mutex;
  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
};

speeds& noted() {
  static speeds all;
  return all;
}

}  // namespace

void stay_on_this_processor() {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(::sched_getcpu(), &only);
  if (::sched_setaffinity(0, sizeof(only), &only) != 0)
    throw std::system_error(errno, std::generic_category(), "sched_setaffinity");
}

void note_speed(std::chrono::nanoseconds wanted, std::chrono::nanoseconds took) {
  const double speed = std::chrono::duration<double>{wanted} / took;
  speeds& all = noted();
  const std::lock_guard holding{all.mutex};
  all.lowest = std::min(all.lowest, speed);
  all.highest = std::max(all.highest, speed);
}

double unevenness() {
  speeds& all = noted();
  const std::lock_guard holding{all.mutex};
  return all.highest == 0 ? 1 : all.highest / all.lowest;
}

}  // namespace planted
