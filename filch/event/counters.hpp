#pragma once
#include <filch/base/sync.hpp>
#include <filch/event/schema.hpp>

#include <array>

namespace filch::event {

/// One worker's counters and time account.
/// Threads: written by one thread at a time (whoever is the worker), read by any; a reader may lag.
/// Cost:    an addition is a load and a store, no locked instruction.
class counters {
 public:
  void add(kind what, std::uint64_t amount = 1) noexcept { bump(counts_[static_cast<std::size_t>(what)], amount); }
  std::uint64_t count(kind what) const noexcept { return counts_[static_cast<std::size_t>(what)].load(base::relaxed); }

  /// Books the time since the last change on the activity that ends now.
  void change(activity next, std::uint64_t now_ticks) noexcept {
    bump(spent_ticks_[static_cast<std::size_t>(now_)], now_ticks - since_ticks_.load(base::relaxed));
    now_ = next;
    doing_.store(next, base::relaxed);  // relaxed: a report, not a protocol
    since_ticks_.store(now_ticks, base::relaxed);
  }
  activity doing() const noexcept { return now_; }
  /// The same for other threads, as of a moment ago.
  activity doing_now() const noexcept { return doing_.load(base::relaxed); }
  /// Ticks spent on `what`, up to `now_ticks`.
  std::uint64_t spent_ticks(activity what, std::uint64_t now_ticks) const noexcept {
    const std::uint64_t booked = spent_ticks_[static_cast<std::size_t>(what)].load(base::relaxed);
    const std::uint64_t since = since_ticks_.load(base::relaxed);
    return doing_.load(base::relaxed) == what && since != 0 && now_ticks > since ? booked + (now_ticks - since) : booked;
  }

 private:
  static void bump(base::atomic<std::uint64_t>& word, std::uint64_t amount) noexcept {
    word.store(word.load(base::relaxed) + amount, base::relaxed);  // relaxed: single writer
  }

  std::array<base::atomic<std::uint64_t>, kind_count> counts_{};           ///< Writer: the worker. Readers: `metrics`.
  std::array<base::atomic<std::uint64_t>, activity_count> spent_ticks_{};  ///< Writer: the worker. Readers: `metrics`.
  base::atomic<std::uint64_t> since_ticks_{0};                             ///< Writer: the worker. Readers: `metrics`.
  base::atomic<activity> doing_{activity::away};                           ///< Writer: the worker. Readers: `metrics`.
  activity now_ = activity::away;
};

}  // namespace filch::event
