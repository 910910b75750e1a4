#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace filch::testing {

/// Who goes on at a scheduling point.
enum class strategy {
  any,     ///< The seed decides between the three that follow.
  random,  ///< Anybody, after stretches whose length is drawn.
  /// The highest of random priorities, with a few points where the running one becomes the lowest.
  pct,
  steal_everything,  ///< Every fork is taken by another worker, if there is one to take it.
  steal_nothing,     ///< Whoever is older goes on as long as it can.
};
std::string_view name_of(strategy which) noexcept;

/// Why somebody has to be chosen.
enum class cause : unsigned char {
  preempted,  ///< The stretch of the running one is over.
  looks,      ///< Nothing in particular: somebody was woken, or a time came.
  pauses,     ///< The running one waits for others, without sleeping.
  aside,      ///< The running one has forked, and lets thieves come first.
  waits,      ///< The running one sleeps, or is over.
};

/// Decides for one seed. Threads are numbered in the order in which they begin.
class chooser {
 public:
  virtual ~chooser() = default;
  /// One of `ready`, which is not empty and ascends, goes on; it holds `running` unless that waits.
  virtual unsigned choose(std::span<const unsigned> ready, unsigned running, cause why) = 0;
  /// How many steps until the next `cause::preempted`.
  virtual std::uint32_t stretch() = 0;
  /// Whether a wake calls for a look at once.
  virtual bool looks_at_wakes() const noexcept { return false; }
};

/// `depth` is that of the bugs `pct` looks for: one more than the number of its change points.
std::unique_ptr<chooser> make_chooser(strategy which, std::uint64_t seed, unsigned depth);
/// What `strategy::any` means for this seed.
strategy settle(strategy which, std::uint64_t seed) noexcept;

}  // namespace filch::testing
