#pragma once
// How much of the machine others used meanwhile: the rule of sampling.py and cells.py, if
// there is no Python.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace bench::foreign_load {

/// Processor time used or stolen on all processors since boot.
inline double machine_busy_seconds() {
  std::ifstream stat("/proc/stat");
  std::string word;
  stat >> word;
  double ticks = 0, value = 0;
  for (int i = 0; i != 8 && stat >> value; ++i) {
    if (i != 3 && i != 4) ticks += value;  // neither idle nor waiting for a disk
  }
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

inline double seconds_of(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}
inline double seconds_of(const rusage& used) {
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

/// Whether so much processor time of others spoils a sample that took `seconds`.
constexpr bool disturbs(double foreign_seconds, double seconds) noexcept {
  constexpr double allowed_share = 0.03, book_grain_seconds = 0.02;
  return foreign_seconds > allowed_share * seconds + book_grain_seconds;
}

/// Watches from when it is made on.
class watch {
 public:
  /// What all but this process used since then.
  double foreign_seconds() const {
    return std::max(0.0, machine_busy_seconds() - busy_before_ - (own_seconds() - own_before_));
  }

 private:
  static double own_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return seconds_of(used);
  }
  double busy_before_ = machine_busy_seconds();
  double own_before_ = own_seconds();
};

}  // namespace bench::foreign_load
