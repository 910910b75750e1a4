#pragma once
#include <filch/policy/idle.hpp>

#include <algorithm>
#include <cstdint>

namespace filch::policy {

/// For how long a worker that has taken what arrived at the source is trusted to come back there,
/// and so how long the guard sleeps between two looks.
///
/// Each look takes a processor from somebody: the worker, or who sends what arrives. Where it has
/// always come back in time looks get rarer. Where it has not, somebody must see the next time
/// soon.
class trust {
 public:
  /// Each look costs a third of the wake that would make it look.
  static constexpr std::uint64_t least_us = 200;
  static constexpr std::uint64_t most_us =
      1600;  ///< Delays what arrives behind the first long job by no more than forks wait in a nap.

  constexpr void was_kept() noexcept { us_ = (std::min)(2 * us_, most_us); }
  constexpr void was_broken() noexcept { us_ = least_us; }
  constexpr std::uint64_t us() const noexcept { return us_; }

 private:
  std::uint64_t us_ = least_us;
};

static_assert(trust::most_us <= interest::longest_nap_us,
              "what has arrived waits no longer for a look than a private fork");
static_assert(trust::most_us < busy_source_us, "as long as somebody is trusted there is a guard");

}  // namespace filch::policy
