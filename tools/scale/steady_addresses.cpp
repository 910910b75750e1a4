#include <tools/scale/steady_addresses.hpp>

#if defined(__linux__)
#include <sys/personality.h>
#include <unistd.h>
#endif

namespace filch::scaling {

void use_steady_addresses([[maybe_unused]] char** arguments) {
#if defined(__linux__)
  constexpr unsigned long ask = 0xffffffff;
  const int now = ::personality(ask);
  if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0) return;
  const auto wanted = static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE;
  if (::personality(wanted) < 0) return;
  // Some systems refuse in silence, and then it would begin anew for ever
  if ((::personality(ask) & ADDR_NO_RANDOMIZE) == 0) return;
  ::execv("/proc/self/exe", arguments);
#endif
}

}  // namespace filch::scaling
