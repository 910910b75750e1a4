#include <tests/planted_faults/planted.hpp>

#include <sched.h>

#include <cerrno>
#include <system_error>

namespace planted {

void stay_on_this_processor() {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(::sched_getcpu(), &only);
  if (::sched_setaffinity(0, sizeof(only), &only) != 0)
    throw std::system_error(errno, std::generic_category(), "sched_setaffinity");
}

}  // namespace planted
