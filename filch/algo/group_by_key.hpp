#pragma once
#include <filch/algo/dynarray.hpp>
#include <filch/algo/integer_sort.hpp>
#include <filch/algo/pack.hpp>
#include <filch/algo/ranges/places.hpp>
#include <filch/algo/stable_sort.hpp>
#include <filch/algo/tabulate.hpp>
#include <filch/base/raw_array.hpp>

namespace filch::inline v0_2 {

/// Elements in groups, one group after the other. `group_by_key` returns it. It is a range of its
/// groups.
template <class T>
class grouped {
  struct group_at {
    using value = iterator_range<const T*>;
    const grouped* of = nullptr;
    value operator()(std::uint64_t i) const noexcept { return (*of)[i]; }
  };

 public:
  /// Group i begins at `begins[i]`; `begins[groups]` is the end.
  grouped(dynarray<T> elements, base::raw_array<std::uint64_t> begins,
          std::uint64_t groups) noexcept
      : elements_{std::move(elements)}, begins_{std::move(begins)}, groups_{groups} {}

  /// The number of groups. No group is empty.
  std::size_t size() const noexcept { return groups_; }
  bool empty() const noexcept { return groups_ == 0; }
  /// The elements of group number `i`.
  iterator_range<const T*> operator[](std::size_t i) const noexcept {
    return {elements_.data() + begins_[i], elements_.data() + begins_[i + 1]};
  }
  iterator_range<T*> operator[](std::size_t i) noexcept {
    return {elements_.data() + begins_[i], elements_.data() + begins_[i + 1]};
  }
  auto begin() const noexcept { return algo::place_iterator<group_at>({this}, 0); }
  auto end() const noexcept { return algo::place_iterator<group_at>({this}, groups_); }
  /// All elements, group by group.
  const dynarray<T>& elements() const noexcept { return elements_; }

 private:
  dynarray<T> elements_;
  base::raw_array<std::uint64_t> begins_;
  std::uint64_t groups_;
};

namespace algo {

/// Writes the places of the chosen elements.
struct places_to {
  std::uint64_t* out;
  void put(std::uint64_t word, std::uint64_t from, std::uint64_t, std::uint64_t chosen) {
    for_ones(word, from, [&](std::uint64_t at) { out[chosen++] = at; });
  }
};

struct group_by_key_fn : algorithm<group_by_key_fn> {
  template <class In, class Key = std::identity>
  static grouped<std::iter_value_t<In>> run(const settings& how, In in, std::uint64_t count,
                                            Key key = {}) {
    // A proxy for an element, such as a bit of a vector, is not kept.
    using element = std::conditional_t<std::is_reference_v<std::iter_reference_t<In>>,
                                       std::iter_reference_t<In>, std::iter_value_t<In>>;
    auto elements = tabulate_fn()(how, count, [in](std::size_t i) -> element {
      return in[static_cast<std::iter_difference_t<In>>(i)];
    });
    sort(how, elements.data(), count, key);
    base::raw_array<std::uint64_t> begins(count + 1);
    const auto is_first = [&key, all = elements.data()](std::uint64_t at) {
      return at == 0 || std::invoke(key, all[at - 1]) != std::invoke(key, all[at]);
    };
    const std::uint64_t groups = pack_all(how, count, is_first, places_to{begins.data()});
    begins[groups] = count;
    return {std::move(elements), std::move(begins), groups};
  }

 private:
  template <class T, class Key>
  static void sort(const settings& how, T* first, std::uint64_t count, Key& key) {
    if constexpr (std::integral<std::remove_cvref_t<std::invoke_result_t<Key&, T&>>>) {
      integer_sort_fn::run(how, first, count, std::ref(key));
    } else {
      stable_sort_fn::run(how, first, count, std::ranges::less{}, std::ref(key));
    }
  }
};

}  // namespace algo

/// `group_by_key([how,] range or first, last[, key])`: copies the elements and brings those with
/// equal keys together. Groups come by increasing key, and elements keep their order within a
/// group. To count or to sum up, use `count_by_key` or `reduce_by_key`, which do not sort.
///
/// `key` is called several times for each element, and must return the same each time.
///
/// Cost: as `integer_sort` if keys are integers, else as `stable_sort`; then a pass that writes
/// where groups begin, with room for n + 1 numbers.
/// Throws: `std::bad_alloc`; what copies, `key` and comparisons of keys throw; `stopped`.
inline constexpr algo::explained<algo::group_by_key_fn> group_by_key;

}  // namespace filch
