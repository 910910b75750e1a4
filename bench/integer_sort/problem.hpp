#pragma once
// Sorts by whole numbers: numbers themselves, or records by a key of 20 bits. Input, trial and
// checker are those of bench/sort.
#include <bench/sort/problem.hpp>

namespace bench::integer_sort {

struct record {
  std::uint32_t key, payload;
  friend bool operator==(const record&, const record&) = default;
  friend bool operator<(const record& a, const record& b) { return a.key < b.key; }
};

}  // namespace bench::integer_sort

template <>
struct std::hash<bench::integer_sort::record> {
  std::size_t operator()(const bench::integer_sort::record& one) const noexcept {
    return std::size_t{one.key} << 32 | one.payload;
  }
};

namespace bench::integer_sort {

inline constexpr identity as(const char* peer) {
  return {.problem = "integer_sort", .peer = peer, .size = 10'000'000, .variant = "numbers"};
}

/// Times `peer.sort(values)`; every repeat gets the same values. Equal keys may come in any order.
template <class Peer>
void measure(contender& me, Peer& peer) {
  const auto count = me.size<std::size_t>();
  const auto by_peer = [&](auto& values) { peer.sort(values); };
  if (me.variant() == "numbers") {
    sort::measure_one(
        me, sort::made_of_random<std::uint64_t>(count, [](std::uint64_t r) { return r; }), by_peer);
  } else {
    me.require(me.variant() == "records", "--case is one of numbers, records");
    const auto make = [](std::uint64_t r) {
      return record{static_cast<std::uint32_t>(r >> 44), static_cast<std::uint32_t>(r)};
    };
    sort::measure_one(me, sort::made_of_random<record>(count, make), by_peer);
  }
}

}  // namespace bench::integer_sort
