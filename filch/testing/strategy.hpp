#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace filch::inline v0_2::testing {

/// Which thread goes on at a scheduling point.
enum class strategy {
  any,     ///< The seed decides between the three that follow.
  random,  ///< Any thread, after time slices of random length.
  /// The highest of random priorities, with a few points where the running one becomes the lowest.
  pct,
  steal_everything,  ///< Every fork is taken by another worker, if there is one to take it.
  steal_nothing,     ///< The oldest thread goes on as long as it can.
};
std::string_view name_of(strategy which) noexcept;

/// Why a thread has to be chosen.
enum class cause : unsigned char {
  preempted,  ///< The time slice of the running thread is over.
  looks,      ///< A thread was woken, or a timeout came.
  pauses,     ///< The running thread waits for others, without sleeping.
  aside,      ///< The running thread has forked, and lets thieves come first.
  waits,      ///< The running thread sleeps, or has ended.
};

/// Chooses for one seed. Threads are numbered in the order in which they begin.
class chooser {
 public:
  virtual ~chooser() = default;
  /// Returns the thread that goes on, one of `ready`. That is not empty, ascends, and contains
  /// `running` unless that one waits.
  virtual unsigned choose(std::span<const unsigned> ready, unsigned running, cause why) = 0;
  /// The number of steps until the next `cause::preempted`.
  virtual std::uint32_t time_slice() = 0;
  /// Whether a wake requires a choice at once.
  virtual bool looks_at_wakes() const noexcept { return false; }
};

/// `depth` is that of the bugs that `pct` looks for: one more than the number of its change points.
std::unique_ptr<chooser> make_chooser(strategy which, std::uint64_t seed, unsigned depth);
/// The strategy itself, or the one that `strategy::any` stands for under this seed.
strategy settle(strategy which, std::uint64_t seed) noexcept;

}  // namespace filch::testing
