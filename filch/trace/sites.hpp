#pragma once
#include <filch/base/sync.hpp>

#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2::trace {

/// Small numbers for addresses: the place of an address in a table that only grows. Number 0 means
/// that there was no room.
///
/// Cost:    a multiplication and a load or two, once an address is there.
/// Threads: any number of writers and readers, also of other processes. No order is needed: a
///          thread that got a number has seen its address in the table, and hands the number on by
///          an operation that orders (a ring's `publish`).
/// Source:  Knuth, The Art of Computer Programming 3, 6.4, open addressing with linear probing;
///          multiplicative hashing.
template <class Sync>
class basic_site_table {
 public:
  using word = typename Sync::template atomic<std::uint64_t>;
  /// `capacity` is a power of two. The words begin as zeroes.
  basic_site_table(word* words, std::size_t capacity) noexcept
      : words_{words}, capacity_{capacity} {}

  /// The number of `address`, which gets one if it has none and there is room. `address` is not
  /// zero.
  std::uint32_t number_of(std::uint64_t address) noexcept {
    const std::size_t start = address * 0x9e37'79b9'7f4a'7c15u >> 32;
    for (std::size_t i = 0; i < most_probes && i < capacity_; ++i) {
      const std::size_t at = (start + i) & (capacity_ - 1);
      std::uint64_t there = words_[at].load(base::relaxed);
      if (there == address ||
          (there == 0 &&
           (words_[at].compare_exchange(there, address, base::relaxed) || there == address))) {
        return static_cast<std::uint32_t>(at + 1);
      }
    }
    return 0;
  }
  std::size_t capacity() const noexcept { return capacity_; }
  /// The address that has `number`; 0 if none has.
  std::uint64_t address_of(std::uint32_t number) const noexcept {
    return number == 0 || number > capacity_ ? 0 : words_[number - 1].load(base::relaxed);
  }

 private:
  // If so many probes do not suffice, the table is so full that more would not help.
  static constexpr std::size_t most_probes = 64;

  word* words_;
  std::size_t capacity_;
};

}  // namespace filch::trace
