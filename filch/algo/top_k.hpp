#pragma once
#include <filch/algo/braces.hpp>
#include <filch/algo/chunk_queue.hpp>
#include <filch/algo/ranges/to.hpp>
#include <filch/algo/sorting/quicksort.hpp>
#include <filch/algo/stable_sort.hpp>

#include <iterator>
#include <vector>

namespace filch::inline v0_2 {
namespace algo {

/// Keeps the first elements of those that it is shown, at most `most`; of equal ones those further
/// in front.
///
/// They gather in a list. When the list is twice as long as needed, it is cut down. From then on
/// one comparison turns away each element that does not come before the last of the list.
template <class T, class Order>
class shortlist {
 public:
  /// For `most` elements, not 0, of a stream with that many places.
  shortlist(const settings& how, const Order& comes_before, std::uint64_t most,
            std::uint64_t places)
      : how_{&how},
        comes_before_{&comes_before},
        most_{most},
        room_{(std::min)(places, most + (std::max)(most, least_spare))} {}

  /// The elements shown from now on come from the place `from` or behind it, and from behind all
  /// that were shown before.
  void begin_chunk(std::uint64_t from) {
    list_.reserve(room_);
    chunk_ = from;
    shown_ = 0;
  }
  template <class E>
  void show(E&& element) {
    ++shown_;
    // An element that equals the last one is behind it.
    if (has_bar_ && !(*comes_before_)(element, list_[most_ - 1].value)) return;
    list_.push_back({T(std::forward<E>(element)), chunk_, shown_});
    shorten_if_long();
  }
  /// Takes over what `other` has kept, of other places.
  void add(shortlist&& other) {
    list_.insert(list_.end(), std::make_move_iterator(other.list_.begin()),
                 std::make_move_iterator(other.list_.end()));
    shorten_if_long();
  }
  /// Returns the result, in order.
  std::vector<T> take() {
    shorten();
    sorting::sort_unstably(*how_, list_.begin(), list_.size(), is_ahead());
    std::vector<T> values;
    values.reserve(list_.size());
    for (candidate& each : list_) values.push_back(std::move(each.value));
    return values;
  }

 private:
  struct candidate {
    T value;
    std::uint64_t chunk,
        /// The chunk, and the number of the element there: a place in a stream may give several.
        number;
  };

  /// At least this many more are kept, so that cutting the list costs O(1) for each element that
  /// comes in.
  static constexpr std::uint64_t least_spare = 64;

  auto is_ahead() const {
    return [&before = *comes_before_](const candidate& a, const candidate& b) {
      const bool is_further_in_front = a.chunk != b.chunk ? a.chunk < b.chunk : a.number < b.number;
      if constexpr (sorting::plain<T>) {  // a branch would often be mispredicted
        const bool is_before = before(a.value, b.value), is_behind = before(b.value, a.value);
        return static_cast<bool>(is_before | (!is_behind & is_further_in_front));
      } else {
        return before(a.value, b.value) || (is_further_in_front && !before(b.value, a.value));
      }
    };
  }
  void shorten_if_long() {
    if (list_.size() > most_ && list_.size() - most_ >= (std::max)(most_, least_spare)) shorten();
  }
  void shorten() {
    if (list_.size() <= most_) return;
    sorting::select(*how_, list_.begin(), list_.size(), most_ - 1, is_ahead());
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(most_), list_.end());
    has_bar_ = true;
  }

  const settings* how_;
  const Order* comes_before_;
  std::uint64_t most_;
  /// Allocated for this many at once: growing would touch three times as much memory.
  std::uint64_t room_;
  std::vector<candidate> list_;
  bool has_bar_ = false;  ///< The last of the first `most_` is the last of all so far.
  std::uint64_t chunk_ = 0, shown_ = 0;
};

struct top_k_fn : algorithm<top_k_fn> {
  template <std::random_access_iterator It, std::integral N, class Comp = std::ranges::greater,
            class Proj = std::identity>
  requires std::indirect_strict_weak_order<Comp, std::projected<It, Proj>>
  static std::vector<std::iter_value_t<It>> run(const settings& how, It first, std::uint64_t count,
                                                N k, Comp comp = {}, Proj proj = {}) {
    return run(how, as_stream(iterator_range<It>(first, advance(first, count))), k, std::move(comp),
               std::move(proj));
  }
  template <stream S, std::integral N, class Comp = std::ranges::greater,
            class Proj = std::identity>
  static std::vector<stream_value<S>> run(const settings& how, const S& from, N k, Comp comp = {},
                                          Proj proj = {}) {
    if (k <= N{0} || from.positions() == 0) return {};
    const auto most = static_cast<std::uint64_t>(k);
    // Several threads cannot sort the bits of a vector
    if constexpr (!std::same_as<stream_value<S>, bool>) {
      if (most >= from.positions() / 4) return from_sorted(how, from, most, comp, proj);
    }
    const sorting::order comes_before(comp, proj);
    return from_shortlists(how, from, most, comes_before);
  }

 private:
  template <class S, class Comp, class Proj>
  static auto from_sorted(const settings& how, const S& from, std::uint64_t most, Comp& comp,
                          Proj& proj) {
    auto all = concatenate(how, collect_batches<stream_value<S>>(how, from));
    stable_sort_fn::run(how, all.begin(), all.size(), std::ref(comp), std::ref(proj));
    if (most < all.size()) all.erase(all.begin() + static_cast<std::ptrdiff_t>(most), all.end());
    return all;
  }

  /// One list for each worker.
  template <class S, class Order>
  static auto from_shortlists(const settings& how, const S& from, std::uint64_t most,
                              const Order& comes_before) {
    using list = shortlist<stream_value<S>, Order>;
    const auto fill = [&](chunk_queue::taker& mine) {
      list best(how, comes_before, most, from.positions());
      while (mine.next()) {
        best.begin_chunk(mine.from());
        from.visit(mine.from(), mine.to(), [&](auto&& each) {
          best.show(std::forward<decltype(each)>(each));
          return true;
        });
      }
      return best;
    };
    const auto join = [](list left, list right) {
      left.add(std::move(right));
      return left;
    };
    return chunk_queue(how, from.positions()).fold(fill, join).take();
  }
};

}  // namespace algo

/// `top_k(range, k, comp = greater, proj)`: returns copies of the k elements that come first in the
/// order of `comp`, in this order, in a `std::vector`. By default these are the greatest. If there
/// are fewer, it returns all. Equal elements are taken and kept in the order of the range, so the
/// result is the beginning of what a stable sort gives, for any number of workers. The range is not
/// changed.
///
/// A stream may replace the range: `top_k(views::enumerate(range), k, std::greater{}, value_of)`
/// also tells where elements are.
///
/// Cost: work O(n + P k + k log k) for P workers. If k is small against n, nearly all of it is one
/// comparison an element; at worst O(n) expected moves. Span O(n / P + k). Space for 2 k + 64
/// elements and their places for each worker. From k = n / 4 on everything is copied and sorted
/// stably: O(n log n), space for two copies.
/// Blocks, threads: as `parallel_for`.
/// Throws: what copying an element, `comp` or `proj` throws, of several exceptions one;
/// `std::bad_alloc`, `stopped`.
inline constexpr algo::comparing<algo::top_k_fn, std::ranges::greater> top_k;

}  // namespace filch
