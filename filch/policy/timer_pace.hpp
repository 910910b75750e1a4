#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstdint>

namespace filch::policy {

/// After how many jobs a busy worker looks at its timers, in a pool that has some: a look costs
/// some 25 ns, as much as half of a very small job. So it is after each job where they are long,
/// and after every 16th where looks come less than `often_ns` after each other. Jobs that were
/// short and are long now are noticed by the processor's own count, which costs less than a look.
class timer_pace {
 public:
  static constexpr unsigned most_jobs = 16;
  static constexpr std::uint64_t often_ns = 2'000;

  /// A job begins. True: look, as it is its turn or the last look was `patience` ticks ago.
  /// `ticks()` is asked between turns only.
  template <class Ticks>
  constexpr bool is_time(Ticks&& ticks, std::uint64_t patience) noexcept {
    return --jobs_left_ == 0 || ticks() - looked_ticks_ > patience;
  }
  /// One was due: there may be more, so the next job is a turn, too; but for every sixteenth, which
  /// is for what is not due.
  constexpr void found_one() noexcept { jobs_left_ = ++found_ % most_jobs == 0 ? 2 : 1; }
  constexpr void looked(std::uint64_t now_ns, std::uint64_t now_ticks) noexcept {
    jobs_ = now_ns - looked_ns_ < often_ns ? (std::min)(2 * jobs_, most_jobs) : 1;
    jobs_left_ = jobs_;
    looked_ns_ = now_ns;
    looked_ticks_ = now_ticks;
  }

 private:
  unsigned jobs_ = 1;
  unsigned jobs_left_ = 1;
  unsigned found_ = 0;
  std::uint64_t looked_ns_ = 0;
  std::uint64_t looked_ticks_ = 0;
};

}  // namespace filch::policy
