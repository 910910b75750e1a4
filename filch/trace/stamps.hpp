#pragma once
#include <filch/base/language.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace filch::trace {

/// The times that records of jobs bear, with fewer looks at the clock than records: a look costs
/// more than the record.
///
/// Between the end of a job and what is next told of the job around it there is often next to
/// nothing: a sum, a return. Where a look found so, the next few times at that moment of the
/// program the end's stamp serves for what follows, too.
/// Threads: one. `Clock` has `now`.
template <class Clock>
class basic_stamps {
 public:
  /// From `short_ticks` on it is worth a look what time has passed since the end of a job.
  explicit basic_stamps(std::uint64_t short_ticks) noexcept : short_ticks_{short_ticks} {}

  /// For a job that begins or ends; `moment` is the same where the program does the same again.
  std::uint64_t of_begin(std::uint64_t moment) noexcept {
    const std::uint64_t stamp = next(moment);
    follows_end_ = false;
    return stamp;
  }
  std::uint64_t of_end(std::uint64_t moment) noexcept {
    const std::uint64_t stamp = next(~moment);
    follows_end_ = true;
    return stamp;
  }
  /// A record of something else bears `ticks`.
  void note(std::uint64_t ticks) noexcept {
    last_ = ticks;
    unstamped_ = 0;
    follows_end_ = false;
  }

  static constexpr unsigned most_repeats = 7;

 private:
  static constexpr unsigned table_bits = 10;

  std::uint64_t next(std::uint64_t moment) noexcept {
    if (!follows_end_) return look();
    std::uint8_t& repeats = repeats_[moment * 0x9e37'79b9'7f4a'7c15u >> (64 - table_bits)];
    if (repeats != 0) {
      --repeats;
      ++unstamped_;
      return last_;
    }
    const std::uint64_t before = last_, allowed = short_ticks_ * (1 + unstamped_);
    repeats = look() - before < allowed ? most_repeats : 0;
    return last_;
  }
  std::uint64_t look() noexcept {
    unstamped_ = 0;
    return last_ = Clock::now();
  }

  const std::uint64_t short_ticks_;
  std::uint64_t last_ = 0;
  /// Records since the last look that did without one: each took its time.
  std::uint32_t unstamped_ = 0;
  bool follows_end_ = false;
  /// How often more the end's stamp will do, by moments.
  std::array<std::uint8_t, std::size_t{1} << table_bits> repeats_{};
};

}  // namespace filch::trace
