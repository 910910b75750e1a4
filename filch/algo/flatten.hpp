#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/dynarray.hpp>
#include <filch/algo/scan.hpp>

namespace filch::inline v0_2 {
namespace algo {

/// The places of the elements of ranges after the ranges are put one after the other.
template <class In>
class flat_places {
 public:
  using inner = std::iter_reference_t<In>;
  using element = std::ranges::range_value_t<inner>;
  /// Throws: `std::bad_alloc`.
  flat_places(const settings& how, In in, std::uint64_t count)
      : in_{in}, count_{count}, begins_{std::make_unique<std::uint64_t[]>(count + 1)} {
    transform_inclusive_scan_fn::run(
        how, in, count, begins_.get() + 1, std::plus<>{},
        [](const auto& one) { return static_cast<std::uint64_t>(std::ranges::size(one)); },
        std::uint64_t{0});
  }

  std::uint64_t size() const noexcept { return begins_[count_]; }

  /// Calls `visit(first, last, place)` for the ranges of elements that make up the places [from,
  /// to), which are not empty.
  template <class Visit>
  void for_ranges(std::uint64_t from, std::uint64_t to, Visit visit) const {
    const std::uint64_t* const begins = begins_.get();
    auto one =
        static_cast<std::uint64_t>(std::upper_bound(begins, begins + count_ + 1, from) - begins) -
        1;
    for (; from != to; ++one) {
      const std::uint64_t end = (std::min)(to, begins[one + 1]);
      if (from == end) continue;
      auto&& range = in_[static_cast<std::iter_difference_t<In>>(one)];
      const auto first = std::ranges::begin(range);
      visit(advance(first, from - begins[one]), advance(first, end - begins[one]), from);
      from = end;
    }
  }

 private:
  In in_;
  std::uint64_t count_;
  std::unique_ptr<std::uint64_t[]> begins_;
};

struct flatten_fn : algorithm<flatten_fn> {
  template <class In, std::random_access_iterator Out>
  static Out run(const settings& how, In in, std::uint64_t count, Out out) {
    check_writable<Out>();
    if constexpr (check_range<std::iter_reference_t<In>>()) {
      const flat_places<In> places(how, in, count);
      for_chunks(how, places.size(), [&](std::uint64_t from, std::uint64_t to) {
        places.for_ranges(from, to, [out](auto first, auto last, std::uint64_t place) {
          std::ranges::copy(first, last, advance(out, place));
        });
      });
      return advance(out, places.size());
    }
  }
  template <class In>
  static auto run(const settings& how, In in, std::uint64_t count) {
    if constexpr (check_range<std::iter_reference_t<In>>())
      return flat(how, flat_places<In>(how, in, count));
  }

 private:
  template <class In>
  static auto flat(const settings& how, const flat_places<In>& places) {
    using element = typename flat_places<In>::element;
    return dynarray<element>::made_by(places.size(), [&](element* made) {
      const auto leaf = [&](std::uint64_t from, std::uint64_t to) {
        live_run<element> run(made + from);
        places.for_ranges(from, to, [&run](auto first, auto last, std::uint64_t) {
          for (; first != last; ++first) run.append([&]() -> decltype(auto) { return *first; });
        });
        return run;
      };
      fold_chunks(how, places.size(), leaf, [](live_run<element> left, live_run<element> right) {
        return std::move(left).and_then(std::move(right));
      }).give_up();
    });
  }
};

}  // namespace algo

/// `flatten([how,] range of ranges[, out])`, or from first and last: puts the elements of all
/// ranges one after the other. Without `out` it returns them in a `dynarray`. `out` is an iterator;
/// then it returns the end of what it wrote. The outer and the inner ranges are random-access and
/// sized.
///
/// Cost: work n + m for n ranges with m elements, span O(log n + log m); one number for each range.
/// Chunks are cut by elements, so the lengths of the ranges may differ in any way.
/// Throws: `std::bad_alloc`; what copies throw; `stopped`. Each element of `out` then has its old
/// or its new value; of a `dynarray` nothing remains.
inline constexpr algo::explained<algo::flatten_fn> flatten;

}  // namespace filch
