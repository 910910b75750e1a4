#pragma once
#include <filch/algo/chunks.hpp>
#include <filch/base/atomic.hpp>
#include <filch/base/cache_line.hpp>
#include <filch/base/exceptions.hpp>

#include <algorithm>

namespace filch::inline v0_2::algo {

/// Hands out [0, count) from the front, chunk by chunk, to a few *takers*. A free worker takes the
/// next chunk.
///
/// Halving a loop would send the first thief to the middle and make a result for each leaf. Here
/// the chunks taken are always the front, and there are no more results than jobs run at once. Each
/// result is made of chunks in order, with chunks of others in between.
///
/// Cost: a shared addition and a clock for 4 us of work or more. Without thieves the caller takes
/// every chunk.
class chunk_queue {
 public:
  /// Over `count` offsets, not 0.
  chunk_queue(const settings& how, std::uint64_t count) noexcept : chunk_queue(how, 0, count) {}

  /// Takes chunks. Belongs to one thread.
  class taker {
   public:
    explicit taker(chunk_queue& all) noexcept
        : all_{all}, now_{all.is_timed() ? base::ticks() : 0} {}

    std::uint64_t from() const noexcept { return from_; }
    std::uint64_t to() const noexcept { return to_; }
    /// Takes the next chunk, [from(), to()). False if nothing is left. Throws: `stopped`.
    bool next() {
      if (all_.is_timed() && from_ != to_) observe();
      const std::uint64_t size = all_.is_timed() ? pace_.items() : all_.fixed_items_;
      from_ = all_.next_.fetch_add(size, base::relaxed);
      if (from_ >= all_.count_) return false;
      all_.how_.check_stop();
      to_ = (std::min)(from_ + size, all_.count_);
      return true;
    }

   private:
    void observe() noexcept {
      const std::uint64_t begin = std::exchange(now_, base::ticks());
      pace_.observe(to_ - from_, now_ - begin, base::ticks_per_us());
    }

    chunk_queue& all_;
    policy::grain pace_;
    std::uint64_t from_ = 0, to_ = 0;
    std::uint64_t now_;
  };

  /// Folds what `take(taker&)` returns. If one of these calls throws, all end.
  template <class Take, class Combine>
  auto fold(Take take, Combine combine) {
    // In a run that an analysis watches, the first taker would take everything. So each leaf of a
    // loop gets a taker there, with chunks of its own.
    if (sched::is_watched()) [[unlikely]] {
      const auto taker_for_leaf = [&](std::uint64_t from, std::uint64_t to) {
        chunk_queue own(how_, from, to);
        taker mine(own);
        return take(mine);
      };
      return fold_chunks(how_, count_, taker_for_leaf, combine);
    }
    settings each;
    each.grain = 1;
    each.shared = how_.limit();
    const std::uint64_t chunks = is_timed() ? count_ : (count_ - 1) / fixed_items_ + 1;
    const auto leaf = [&](std::uint64_t, std::uint64_t) {
      FILCH_TRY {
        taker mine(*this);
        return take(mine);
      }
      FILCH_CATCH_ALL {
        close();
        FILCH_RETHROW;
      }
    };
    return fold_chunks(each,
                       std::min<std::uint64_t>(chunks, sched::lasting_pool_here().concurrency()),
                       leaf, combine);
  }

  /// Chunks that have not been taken stay untaken.
  void close() noexcept { next_.store(count_, base::relaxed); }

 private:
  chunk_queue(const settings& how, std::uint64_t from, std::uint64_t to) noexcept
      : how_{how}, count_{to}, fixed_items_{(std::min)(how.grain, to - from)}, next_{from} {}

  bool is_timed() const noexcept { return fixed_items_ == 0; }

  const settings& how_;
  const std::uint64_t count_;
  const std::uint64_t fixed_items_;  ///< 0: chunks are as long as a grain.
  /// Writers: all takers. Relaxed: only the number is handed over; the joins bring the results.
  alignas(base::cache_line_bytes) base::atomic<std::uint64_t> next_;
};

}  // namespace filch::algo
