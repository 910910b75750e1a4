#pragma once
// Sorts what programs sort. The case says what, and with `stable-` before it that equal elements
// keep their order.
#include <bench/harness/contender.hpp>
#include <filch/base/rng.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bench::sort {

inline constexpr identity as(const char* peer) {
  return {.problem = "sort", .peer = peer, .size = 10'000'000, .variant = "random"};
}

/// So many elements made of random numbers.
template <class T, class Make>
std::vector<T> made_of_random(std::size_t count, Make make) {
  filch::base::split_mix64 random{1};
  std::vector<T> values(count);
  for (T& each : values) each = make(random());
  return values;
}

/// The numbers from 0 on, of which one in a hundred was swapped with any other.
inline std::vector<std::uint64_t> nearly_sorted(std::size_t count) {
  std::uint64_t next = 0;
  auto values = made_of_random<std::uint64_t>(count, [&](std::uint64_t) { return next++; });
  filch::base::split_mix64 random{2};
  for (std::size_t i = 0; i < count / 100; ++i) {
    const std::size_t one = random() % count, other = random() % count;
    std::swap(values[one], values[other]);
  }
  return values;
}

/// Sums a hash of every value: the same for any order, and in practice for no other values.
template <class T>
std::uint64_t fingerprint(const std::vector<T>& values) {
  std::uint64_t sum = 0;
  for (const T& each : values) sum += filch::base::split_mix64{std::hash<T>{}(each)}();
  return sum;
}

template <class T, class Sort>
void measure_one(contender& me, const std::vector<T>& input, Sort sort) {
  for (unsigned i = 0; i != me.repeat(); ++i) {
    std::vector<T> values = input;
    const double seconds = seconds_of([&] { sort(values); });
    const bool is_right =
        std::is_sorted(values.begin(), values.end()) && fingerprint(values) == fingerprint(input);
    me.report({{"seconds", seconds}}, is_right ? "" : "what comes out is not what went in, sorted");
  }
}

template <class Sort>
void measure_case(contender& me, std::string_view name, Sort sort) {
  const auto count = me.size<std::size_t>();
  if (name == "random") {
    measure_one(me, made_of_random<std::uint64_t>(count, [](std::uint64_t r) { return r; }), sort);
  } else if (name == "double") {
    measure_one(
        me,
        made_of_random<double>(count, [](std::uint64_t r) { return static_cast<double>(r >> 11); }),
        sort);
  } else if (name == "string") {
    measure_one(
        me, made_of_random<std::string>(count, [](std::uint64_t r) { return std::to_string(r); }),
        sort);
  } else if (name == "few") {
    measure_one(me, made_of_random<std::uint64_t>(count, [](std::uint64_t r) { return r % 16; }),
                sort);
  } else {
    me.require(
        name == "nearly",
        "--case is one of random, double, string, few, nearly, or one of these after stable-");
    measure_one(me, nearly_sorted(count), sort);
  }
}

/// Times `peer.sort(values)`, or `peer.stable_sort(values)` if there is one; every repeat gets
/// the same values.
template <class Peer>
void measure(contender& me, Peer& peer) {
  const std::string_view name = me.variant(), stably = "stable-";
  if (!name.starts_with(stably))
    return measure_case(me, name, [&](auto& values) { peer.sort(values); });
  if constexpr (requires(std::vector<int> & v) { peer.stable_sort(v); }) {
    measure_case(me, name.substr(stably.size()), [&](auto& values) { peer.stable_sort(values); });
  } else {
    me.require(false, "this peer has no stable sort");
  }
}

}  // namespace bench::sort
