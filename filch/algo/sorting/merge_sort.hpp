#pragma once
#include <filch/algo/sorting/buffer.hpp>
#include <filch/algo/sorting/merge_runs.hpp>

#include <cstdint>

namespace filch::inline v0_2::algo::sorting {

/// Sorts a range by merging between it and a buffer of the same length. Stable.
///
/// The tree of merges has the same odd number of levels everywhere. So leaves, which are sorted in
/// the buffer, end in the range after the last merge. A node of even depth owns elements of it, and
/// finds the runs of its children in the buffer; for odd depths it is the other way round.
/// However a node ends, it leaves all its elements in the place that it owns. So the range gets all
/// of them back.
///
/// Cost: work O(n log n), span O(log^3 n), O(log n) stack. After a stop only comparisons that have
/// begun are finished, of some thousand elements for each worker. Each node on the way back still
/// moves its elements.
template <class It, class Less>
class merge_sort {
 public:
  using value_type = std::iter_value_t<It>;

  /// Plain elements are in the range, others in the buffer, in the same order; see `buffer`.
  merge_sort(const settings& how, const Less& less, It first, value_type* buffer)
      : how_{how}, less_{less}, range_{first}, buffer_{buffer} {}

  void sort(std::uint64_t count) {
    while ((count >> leaf_depth_) >= few<It>) leaf_depth_ += 2;
    sort({0, 0, count});
  }

 private:
  static constexpr std::uint64_t stop_is_checked_from = 4096;

  struct node {
    unsigned depth;
    std::uint64_t from, count;
    bool owns_range() const noexcept { return depth % 2 == 0; }
    std::uint64_t half() const noexcept { return count / 2; }
    node left() const noexcept { return {depth + 1, from, half()}; }
    node right() const noexcept { return {depth + 1, from + half(), count - half()}; }
  };

  run<It> in_range(const node& of) const {
    return {range_ + static_cast<std::iter_difference_t<It>>(of.from), of.count};
  }
  run<value_type*> in_buffer(const node& of) const { return {buffer_ + of.from, of.count}; }

  void sort(node here) {
    check_stop(here);
    if (here.depth == leaf_depth_) return failed_.watch(here.from, [&] { sort_leaf(here); });
    FILCH_TRY {
      join_both(
          how_, [this, here] { sort(here.left()); }, [this, here] { sort(here.right()); });
    }
    FILCH_CATCH_ALL {
      fetch(here);
      FILCH_RETHROW;
    }
    if (here.owns_range()) {
      merge(here.from, in_buffer(here.left()), in_buffer(here.right()), in_range(here).first);
    } else {
      merge(here.from, in_range(here.left()), in_range(here.right()), in_buffer(here).first);
    }
  }
  template <class From, class To>
  void merge(std::uint64_t at, const run<From>& left, const run<From>& right, To to) {
    merge_runs<by_moving>({how_, failed_}, at, left, right, to, less_);
  }

  void sort_leaf(const node& here) {
    if constexpr (is_plain<It>) transfer_run<by_moving>(in_range(here), in_buffer(here).first);
    sort_few<ties::kept>(in_buffer(here).first, here.count, less_);
  }

  /// Moves the elements from the other place to the one that `here` owns.
  void fetch(const node& here) const {
    if (here.owns_range()) {
      transfer_run<by_moving>(in_buffer(here), in_range(here).first);
    } else {
      transfer_run<by_moving>(in_range(here), in_buffer(here).first);
    }
  }
  /// For a node whose elements are still in their first place.
  void check_stop(const node& here) const {
    const bool may_stop = here.count >= stop_is_checked_from && how_.stop.stop_requested();
    if (!may_stop && !failed_.is_before(here.from)) return;
    if (here.owns_range() != is_plain<It>) fetch(here);
    settings::throw_stopped();
  }

  const settings& how_;
  const Less& less_;
  It range_;
  value_type* buffer_;
  unsigned leaf_depth_ = 1;
  failure failed_;
};

/// Sorts a range, stably.
/// Cost: as `merge_sort`, and a buffer for all elements, unless there are only a few.
template <class It, class Less>
void sort_stably(const settings& how, It first, std::uint64_t count, const Less& less) {
  if (count <= few<It>) return sort_few<ties::kept>(first, count, less);
  buffer<It> room(first, count);
  merge_sort<It, Less>(how, less, first, room.begin()).sort(count);
}

}  // namespace filch::algo::sorting
