#pragma once
#include <filch/base/cache_line.hpp>
#include <filch/base/sync.hpp>
#include <filch/event/durations.hpp>

#include <array>

namespace filch::inline v0_2::event {

/// The index of each of a worker's figures. All are words of one array, so that code that copies
/// them need not know their meaning.
namespace counter_words {
/// Ticks by measure; before them, counts by kind.
inline constexpr std::size_t first_ticks = kind_count;
inline constexpr std::size_t doing = first_ticks + measure_count;  ///< The activity now,
inline constexpr std::size_t since_ticks = doing + 1;              ///< and when it began.
inline constexpr std::size_t first_account = since_ticks + 1;      ///< An `account` by activity.
/// How many durations by measure, then by class.
inline constexpr std::size_t first_class = first_account + activity_count;
inline constexpr std::size_t total = first_class + measure_count * duration_classes;

constexpr std::size_t count_of(kind what) noexcept { return static_cast<std::size_t>(what); }
constexpr std::size_t ticks_of(measure what) noexcept {
  return first_ticks + static_cast<std::size_t>(what);
}
constexpr std::size_t account_of(activity what) noexcept {
  return first_account + static_cast<std::size_t>(what);
}
constexpr std::size_t class_of(measure what, std::size_t index) noexcept {
  return first_class + static_cast<std::size_t>(what) * duration_classes + index;
}
}  // namespace counter_words

/// The total time of one activity in one word. So a thread that reads it while an interval ends
/// counts that interval exactly once.
struct account {
  /// The sum of ended intervals, minus the begin of the present one.
  std::int64_t ticks = 0;
  bool lasts = false;

  constexpr std::uint64_t pack() const noexcept {
    return static_cast<std::uint64_t>(ticks) << 1 | std::uint64_t{lasts};
  }
  static constexpr account unpack(std::uint64_t word) noexcept {
    return {static_cast<std::int64_t>(word) >> 1, (word & 1) != 0};
  }
  constexpr std::uint64_t spent(std::uint64_t now_ticks) const noexcept {
    const auto sum =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(ticks) + (lasts ? now_ticks : 0));
    return sum < 0 ? 0 : static_cast<std::uint64_t>(sum);
  }
};

/// A copy of a worker's counters.
struct counted {
  std::array<std::uint64_t, counter_words::total> words{};

  std::uint64_t word(std::size_t at) const noexcept { return words[at]; }
  std::uint64_t count(kind what) const noexcept { return word(counter_words::count_of(what)); }
  activity doing() const noexcept { return static_cast<activity>(word(counter_words::doing)); }
  /// Ticks of ended durations: the ones that the classes count.
  std::uint64_t ended_ticks(measure what) const noexcept {
    return word(counter_words::ticks_of(what));
  }
  std::uint64_t in_class(measure what, std::size_t index) const noexcept {
    return word(counter_words::class_of(what, index));
  }
};

/// All ticks spent on `what`, up to `now_ticks` if it lasts. `words`: `counted` or `counters`.
template <class Words>
std::uint64_t spent_ticks(const Words& words, activity what, std::uint64_t now_ticks) noexcept {
  const std::uint64_t ended = words.word(
      counter_words::ticks_of(length_of(what)));  // all, where it has begun after `now_ticks`
  return (std::max)(ended,
                    account::unpack(words.word(counter_words::account_of(what))).spent(now_ticks));
}

/// One worker's counters and time account, in cache lines of their own.
/// Threads: written by one thread at a time (the one that is the worker), read by any; a reader may
/// lag.
/// Cost:    an addition is a load and a store, no locked instruction.
class alignas(base::cache_line_bytes) counters {
 public:
  void add(kind what, std::uint64_t amount = 1) noexcept {
    bump(counter_words::count_of(what), amount);
  }
  std::uint64_t count(kind what) const noexcept { return word(counter_words::count_of(what)); }

  /// Books the time since the last change on the activity that ends now, and returns it.
  std::uint64_t change(activity next, std::uint64_t now_ticks) noexcept {
    const activity ended = doing();
    const std::uint64_t since = word(counter_words::since_ticks);
    const std::uint64_t lasted = since == 0 ? 0 : now_ticks - since;
    bump(counter_words::ticks_of(length_of(ended)), lasted);
    put_account(ended, {ended_ticks(ended), false});
    put_account(next, {ended_ticks(next) - static_cast<std::int64_t>(now_ticks), true});
    put(counter_words::doing, static_cast<std::uint64_t>(next));  // a report, not a protocol
    put(counter_words::since_ticks, now_ticks);
    return lasted;
  }
  /// Counts a duration in its class; `change` has booked its ticks.
  void classify(measure what, std::uint64_t microseconds) noexcept {
    bump(counter_words::class_of(what, class_of(microseconds)), 1);
  }
  /// The same for a measure that is no activity.
  void add_duration(measure what, std::uint64_t ticks, std::uint64_t microseconds) noexcept {
    bump(counter_words::ticks_of(what), ticks);
    classify(what, microseconds);
  }
  /// For other threads, as of a moment ago.
  activity doing() const noexcept { return static_cast<activity>(word(counter_words::doing)); }

  // relaxed: single writer
  std::uint64_t word(std::size_t at) const noexcept { return words_[at].load(base::relaxed); }
  counted read() const noexcept {
    counted now;
    for (std::size_t i = 0; i < now.words.size(); ++i) now.words[i] = word(i);
    return now;
  }

 private:
  void put(std::size_t at, std::uint64_t value) noexcept { words_[at].store(value, base::relaxed); }
  void bump(std::size_t at, std::uint64_t amount) noexcept { put(at, word(at) + amount); }
  void put_account(activity of, account now) noexcept {
    put(counter_words::account_of(of), now.pack());
  }
  std::int64_t ended_ticks(activity of) const noexcept {
    return static_cast<std::int64_t>(word(counter_words::ticks_of(length_of(of))));
  }

  /// Writer: the worker. Readers: `metrics`, recorder.
  std::array<base::atomic<std::uint64_t>, counter_words::total> words_{};
};

}  // namespace filch::event
