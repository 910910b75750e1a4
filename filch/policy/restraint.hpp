#pragma once
#include <filch/policy/idle.hpp>

#include <algorithm>
#include <cstdint>

namespace filch::policy {

/// How long a thief leaves ready queues alone: not at all, unless what it took from one lately was
/// too small.
///
/// To fetch a job costs thief and owner some lines of memory each, several hundred nanoseconds in
/// all; a smaller one its owner would have done meanwhile. Where all are that small the thief
/// disturbs and nothing else. Whether the next one is, nobody knows: so the thief never goes away,
/// but waits between two jobs, longer each time, while the queue gets shorter without it.
///
/// How long a job takes tells nothing where jobs want the same lines of memory, as those that take
/// turns at a lock: fetched, each waits for them, and looks long. There its owner has but one in
/// its queue, the next. So the only job of a queue is left to it for a moment, and it gets on by
/// itself.
class restraint {
 public:
  /// What a steal costs thief and owner together.
  static constexpr std::uint64_t worthwhile_ns = 500;
  static constexpr std::uint64_t shortest_pause_ns = 500;
  /// Until the thief sees that an owner does not get on.
  static constexpr std::uint64_t longest_pause_ns = 16'000;
  /// So long the only job of a queue is left to its owner.
  static constexpr std::uint64_t lone_job_ns = worthwhile_ns;

  /// A job taken from a ready queue took so long.
  constexpr void worked_for(std::uint64_t ns) noexcept {
    pause_ns_ =
        ns >= worthwhile_ns ? 0 : std::clamp(2 * pause_ns_, shortest_pause_ns, longest_pause_ns);
  }
  /// Its owner took it within a moment, or whoever took it found nothing to do.
  constexpr void was_not_needed() noexcept { worked_for(0); }
  /// Since then others took `count` of the `left` jobs that had stayed behind it, in so many ns. Is
  /// that slower than stealing, their owner is stuck in a long one, or put aside: who waited for
  /// another pause before each of them would come to the last one late.
  constexpr void others_took(std::uint64_t count, std::uint64_t left, std::uint64_t ns) noexcept {
    if (count < left && count * worthwhile_ns < ns) pause_ns_ = 0;
  }
  /// How long to wait from the end of that job on, and from a look that found nothing: it, too,
  /// moves what the owner is writing.
  constexpr std::uint64_t pause_ns() const noexcept { return pause_ns_; }

 private:
  std::uint64_t pause_ns_ = 0;
};

static_assert(restraint::longest_pause_ns + 2 * restraint::lone_job_ns < patience_us * 1000,
              "a ready job waits for no longer than a fork that its owner does not expose");

}  // namespace filch::policy
