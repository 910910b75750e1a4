#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/carried_pass.hpp>
#include <filch/algo/pack_words.hpp>

#include <functional>

namespace filch {
namespace algo {

/// Elements moved out of the way, in the order in which they came. They are destroyed with it.
template <class T>
class side_run {
 public:
  /// Throws: `std::bad_alloc`.
  explicit side_run(std::uint64_t most) : most_{most}, first_{std::allocator<T>().allocate(most)} {}
  side_run(side_run&& other) noexcept
      : most_{other.most_}, first_{std::exchange(other.first_, nullptr)}, size_{std::exchange(other.size_, 0)} {}
  side_run& operator=(side_run&&) = delete;
  ~side_run() {
    std::destroy_n(first_, size_);
    if (first_ != nullptr) std::allocator<T>().deallocate(first_, most_);
  }

  T* begin() const noexcept { return first_; }
  T* end() const noexcept { return first_ + size_; }
  template <class It>
  void append(It first, It last) {
    size_ = static_cast<std::uint64_t>(std::uninitialized_move(first, last, end()) - first_);
  }
  template <class It>
  void append(It one) {
    std::construct_at(end(), std::ranges::iter_move(one));
    ++size_;
  }

 private:
  std::uint64_t most_;
  T* first_;
  std::uint64_t size_ = 0;
};

/// What a carried pass does for a stable partition: the carry is the end of what is chosen.
///
/// At the front what is chosen moves there, and the rest to the side. Beyond the front a piece is closed up where it is, with a side of its
/// own; the front moves both, as runs.
template <class It, class Choice>
class partition_kernel {
 public:
  using rest = side_run<std::iter_value_t<It>>;
  using carry = std::uint64_t;
  struct digest {
    std::uint64_t from;
    std::uint64_t end;
    rest others;
  };

  partition_kernel(It in, Choice& is_chosen, rest& others) : in_{in}, is_chosen_{is_chosen}, others_{others} {}

  std::uint64_t through(std::uint64_t from, std::uint64_t to, std::uint64_t end) { return part(from, to, end, others_); }
  digest ahead(std::uint64_t from, std::uint64_t to) {
    rest others(to - from);
    const std::uint64_t end = part(from, to, from, others);
    return {from, end, std::move(others)};
  }
  std::uint64_t past(std::uint64_t end, digest& made) {
    others_.append(made.others.begin(), made.others.end());
    if (made.from != end) std::ranges::move(at(made.from), at(made.end), at(end));
    return end + (made.end - made.from);
  }

 private:
  auto at(std::uint64_t offset) const { return in_ + static_cast<std::iter_difference_t<It>>(offset); }

  /// Moves what is chosen of [from, to) to `end`, and what is not to `others`. Returns the new end.
  std::uint64_t part(std::uint64_t from, std::uint64_t to, std::uint64_t end, rest& others) {
    for_words(from, to, [&](std::uint64_t first, std::uint64_t items) {
      const std::uint64_t word = choose(is_chosen_, first, items);
      for_ones(~word & low_bits(items), first, [&](std::uint64_t one) { others.append(at(one)); });
      for_ones(word, first, [&](std::uint64_t one) {
        if (one != end) *at(end) = std::ranges::iter_move(at(one));
        ++end;
      });
    });
    return end;
  }

  const It in_;
  Choice& is_chosen_;
  rest& others_;
};

struct stable_partition_fn : algorithm<stable_partition_fn> {
  template <std::permutable It, class Pred, class Proj = std::identity>
  static iterator_range<It> run(const settings& how, It in, std::uint64_t count, Pred pred, Proj proj = {}) {
    check_writable<It>();
    auto is_chosen = choice_by(in, pred, proj);
    side_run<std::iter_value_t<It>> others(count);
    partition_kernel<It, decltype(is_chosen)> kernel{in, is_chosen, others};
    const std::uint64_t end = carried_pass<decltype(kernel)>(how, kernel).run(0, count, 0);
    for_pieces(how, count - end, [&](std::uint64_t from, std::uint64_t to) {
      std::ranges::move(others.begin() + from, others.begin() + to, advance(in, end + from));
    });
    return {advance(in, end), advance(in, count)};
  }
};

}  // namespace algo

/// Moves the elements for which `pred` holds before the others; both keep their order: `stable_partition([how,] range or first, last, pred[,
/// proj])`. Returns the others.
///
/// Cost:   work n, each element asked once and moved twice at most on one worker, three times where others help; span O(n / p) on p
///         workers for asking, and n moves of whole runs one after the other. Memory for n elements, of which as many are used as others
///         there are.
/// Throws: `std::bad_alloc`, before anything happens or where others help; what `pred`, `proj` and moves throw; elements may then have
///         been moved from, and those that were at the side are lost. `stopped`.
inline constexpr algo::stable_partition_fn stable_partition;

}  // namespace filch
