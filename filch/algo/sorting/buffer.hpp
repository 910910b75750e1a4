#pragma once
#include <filch/algo/every_chunk.hpp>
#include <filch/algo/sorting/order.hpp>
#include <filch/base/raw_array.hpp>

#include <cstdint>
#include <memory>

namespace filch::inline v0_2::algo::sorting {

/// Room for as many elements as a range has, which sorting uses in between. Plain elements find it
/// raw. All others are moved in at once: from then on each place, here and in the range, holds a
/// live object, perhaps moved-from.
///
/// Cost: one allocation, as a `base::raw_array`.
/// Throws: `std::bad_alloc`; what moving throws: elements that were already moved in then go back.
template <class It>
class buffer {
 public:
  using value_type = std::iter_value_t<It>;

  buffer(It first, std::uint64_t count) : memory_(count) {
    if constexpr (!is_plain<It>) {
      fill filling{*this, first};
      for_chunks_if_nothrow(count, [&](std::uint64_t from, std::uint64_t to) {
        for (; from != to; ++from) {
          std::construct_at(
              begin() + from,
              std::ranges::iter_move(first + static_cast<std::iter_difference_t<It>>(from)));
          if constexpr (!fills_quietly) ++filling.live;
        }
      });
      filling.live = count;
      filling.is_full = true;
    }
  }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() {
    if constexpr (!is_plain<It>) destroy(memory_.size());
  }

  value_type* begin() noexcept { return memory_.data(); }

 private:
  static constexpr bool fills_quietly =
      std::is_nothrow_constructible_v<value_type, std::iter_rvalue_reference_t<It>>;

  /// Undoes the moves before the one that threw.
  struct fill {
    buffer& into;
    It from;
    std::uint64_t live = 0;
    bool is_full = false;
    ~fill() {
      if (is_full) return;
      // The first exception is on its way
      thrown_by([this] { move_each(into.begin(), into.begin() + live, from); });
      into.destroy(live);
    }
  };

  /// If moving may throw: one after the other, so that it is known which were moved.
  template <class Leaf>
  static void for_chunks_if_nothrow(std::uint64_t count, const Leaf& leaf) {
    if constexpr (fills_quietly) {
      for_chunks(settings{}, count, leaf);
    } else {
      leaf(0, count);
    }
  }
  void destroy(std::uint64_t live) noexcept {
    if constexpr (!std::is_trivially_destructible_v<value_type>) {
      for_chunks(settings{}, live, [&](std::uint64_t from, std::uint64_t to) {
        std::destroy(begin() + from, begin() + to);
      });
    }
  }

  base::raw_array<value_type> memory_;
};

}  // namespace filch::algo::sorting
