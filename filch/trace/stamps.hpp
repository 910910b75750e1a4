#pragma once
#include <filch/base/language.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2::trace {

/// The times of records of jobs, with fewer looks at the clock than records: a look costs more than
/// the rest of the record.
///
/// Between the end of a job and the next record of the job around it there is often only a sum and
/// a return. If a look found less than `short_ticks` there, the end's stamp also serves for the
/// next `most_repeats` such records at that moment of the program. A moment is a site and a depth
/// of forks, so merges of different size in a sort are different moments. All other stamps are
/// exact.
/// Tolerated: work after a job that once takes long may be booked on what follows (7 of 8 times).
/// Threads: one. `Clock` has `now`.
template <class Clock>
class basic_stamps {
 public:
  /// `short_ticks`: less time than this between records is not worth a look.
  explicit basic_stamps(std::uint64_t short_ticks) noexcept : short_ticks_{short_ticks} {}

  /// For a job that begins or ends; `moment` is the same whenever the program is at the same point.
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
  /// A record of another kind has the stamp `ticks`.
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
  /// Records since the last look that had none of their own; each took some time.
  std::uint32_t unstamped_ = 0;
  bool follows_end_ = false;
  /// How often more the end's stamp serves, by moments.
  std::array<std::uint8_t, std::size_t{1} << table_bits> repeats_{};
};

}  // namespace filch::trace
