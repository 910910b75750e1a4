#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/every_chunk.hpp>
#include <filch/algo/pack_words.hpp>
#include <filch/algo/single_pass_scan.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/base/raw_array.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

/// Elements that were set aside, in their order. They are destroyed with it.
template <class T>
class side_run {
 public:
  /// Throws: `std::bad_alloc`.
  explicit side_run(std::uint64_t most) : memory_(most) {}
  side_run(side_run&& other) noexcept
      : memory_{std::move(other.memory_)}, size_{std::exchange(other.size_, 0)} {}
  side_run& operator=(side_run&&) = delete;
  ~side_run() { clear(); }

  T* begin() const noexcept { return memory_.data(); }
  T* end() const noexcept { return begin() + size_; }
  std::uint64_t size() const noexcept { return size_; }
  void clear() noexcept { std::destroy_n(begin(), std::exchange(size_, 0)); }
  /// Takes over the elements of `more`. If a move throws, at most one element is lost.
  void append(side_run& more) {
    if constexpr (std::is_nothrow_move_constructible_v<T>) {
      size_ = static_cast<std::uint64_t>(std::uninitialized_move(more.begin(), more.end(), end()) -
                                         begin());
    } else {
      const std::uint64_t before = size_;
      FILCH_TRY {
        for (T& each : more) append(&each);
      }
      FILCH_CATCH_ALL {
        thrown_by([&] { move_each(begin() + before, end(), more.begin()); });
        std::destroy(begin() + before, end());
        size_ = before;
        FILCH_RETHROW;
      }
    }
    more.clear();
  }
  template <class It>
  void append(It one) {
    std::construct_at(end(), std::ranges::iter_move(one));
    ++size_;
  }

 private:
  base::raw_array<T> memory_;
  std::uint64_t size_ = 0;
};

/// A range that is being partitioned. The chosen elements lie from `from` on; behind them
/// is a gap as long as the run that is set aside. However it ends, the set-aside elements go back
/// into the gap. So no element is missing, except one whose move throws.
template <class It>
class partitioned_range {
 public:
  /// Takes at most `most` elements, from `from` on. Throws: `std::bad_alloc`.
  partitioned_range(It in, std::uint64_t from, std::uint64_t most)
      : in_{in}, from_{from}, end_{from}, others_{most} {}
  partitioned_range(partitioned_range&&) noexcept = default;
  partitioned_range& operator=(partitioned_range&&) = delete;
  ~partitioned_range() {
    thrown_by([this] { move_each(others_.begin(), others_.end(), at(end_)); });
  }

  /// Adds the next elements, at `first`: those of `word` are chosen.
  void add(std::uint64_t word, std::uint64_t first, std::uint64_t items) {
    if constexpr (!is_quiet) return add_one_by_one(word, first, items);
    std::uint64_t end = end_;
    for_ones(~word & low_bits(items), first, [&](std::uint64_t one) { others_.append(at(one)); });
    for_ones(word, first, [&](std::uint64_t one) {
      if (one != end) *at(end) = std::ranges::iter_move(at(one));
      ++end;
    });
    end_ = end;
  }
  /// Adds a range that begins behind the gap. During each move both gaps are as long as their
  /// set-aside runs.
  void add(partitioned_range& next) {
    if constexpr (is_quiet) {
      if (next.from_ != end_) std::ranges::move(at(next.from_), at(next.end_), at(end_));
      end_ += next.end_ - std::exchange(next.from_, next.end_);
    } else {
      for (; next.from_ != next.end_; ++next.from_) put(next.from_);
    }
    others_.append(next.others_);
  }
  /// Fills the gap, and returns where it was. Cannot be stopped: the elements are nowhere else.
  std::uint64_t close(settings how) {
    how.stop = {};
    const side_run<std::iter_value_t<It>> others(std::move(others_));
    for_every_chunk(how, others.size(), [&](std::uint64_t from, std::uint64_t to) {
      move_each(others.begin() + from, others.begin() + to, at(end_ + from));
    });
    return end_;
  }

 private:
  static constexpr bool is_quiet =
      moves_quietly<It, It> &&
      std::is_nothrow_constructible_v<std::iter_value_t<It>, std::iter_rvalue_reference_t<It>>;

  auto at(std::uint64_t offset) const {
    return in_ + static_cast<std::iter_difference_t<It>>(offset);
  }
  void put(std::uint64_t chosen) {
    if (chosen != end_) *at(end_) = std::ranges::iter_move(at(chosen));
    ++end_;
  }
  /// One after the other, so that the gap has the right length whichever move throws.
  void add_one_by_one(std::uint64_t word, std::uint64_t first, std::uint64_t items) {
    for (const std::uint64_t last = first + items; first != last; ++first, word >>= 1) {
      (word & 1) != 0 ? put(first) : others_.append(at(first));
    }
  }

  It in_;
  std::uint64_t from_, end_;
  side_run<std::iter_value_t<It>> others_;
};

/// What a single-pass scan does for a stable partition: everything before the front is one
/// partitioned range. A chunk beyond the front is partitioned in place. The front then moves its
/// chosen elements, and those set aside, as runs.
template <class It, class Choice>
class partition_kernel {
 public:
  struct carry {};  ///< The worker that has it may change `front_`.
  using aggregate = partitioned_range<It>;

  partition_kernel(It in, std::uint64_t count, Choice& is_chosen)
      : in_{in}, is_chosen_{is_chosen}, front_(in, 0, count) {}

  carry through(std::uint64_t from, std::uint64_t to, carry) {
    partition(from, to, front_);
    return {};
  }
  aggregate ahead(std::uint64_t from, std::uint64_t to) {
    aggregate made(in_, from, to - from);
    partition(from, to, made);
    return made;
  }
  carry past(carry, aggregate& made) {
    front_.add(made);
    return {};
  }
  /// Call once the front is at the end. Returns where the others begin.
  std::uint64_t close(const settings& how) { return front_.close(how); }

 private:
  void partition(std::uint64_t from, std::uint64_t to, partitioned_range<It>& into) {
    for_words(from, to, [&](std::uint64_t first, std::uint64_t items) {
      into.add(choose(is_chosen_, first, items), first, items);
    });
  }

  const It in_;
  Choice& is_chosen_;
  partitioned_range<It> front_;
};

struct stable_partition_fn : algorithm<stable_partition_fn> {
  template <std::permutable It, class Pred, class Proj = std::identity>
  static iterator_range<It> run(const settings& how, It in, std::uint64_t count, Pred pred,
                                Proj proj = {}) {
    check_writable<It>();
    auto is_chosen = choice_by(in, pred, proj);
    partition_kernel<It, decltype(is_chosen)> kernel(in, count, is_chosen);
    single_pass_scan<decltype(kernel)>(how, kernel).run(0, count, {});
    const std::uint64_t end = kernel.close(how);
    return {advance(in, end), advance(in, count)};
  }
};

}  // namespace algo

/// `stable_partition([how,] range or first, last, pred[, proj])`: moves the elements for which
/// `pred` holds before the others; both keep their order. Returns the others.
///
/// Cost: work n: each element is tested once, and moved at most twice on one worker, three times if
/// others help. Span O(n / p) on p workers for testing, and n moves of whole runs one after the
/// other. Memory for n elements, of which as many are used as there are others.
/// Throws: `std::bad_alloc`, what `pred`, `proj` and moves throw, `stopped`. The range then holds
/// all its elements in some order, except one that a throwing move had in hand: set-aside elements
/// are moved back, which no stop ends.
inline constexpr algo::projecting<algo::stable_partition_fn> stable_partition;

}  // namespace filch
