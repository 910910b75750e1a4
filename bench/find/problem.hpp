#pragma once
// Looks for the one float of its value in an array larger than any cache: at the `front` (element
// 100), after a `tenth`, or at the `end`.
#include <bench/harness/contender.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::find {

inline constexpr identity as(const char* peer) {
  return {.problem = "find", .peer = peer, .size = 100'000'000, .variant = "end"};
}

/// Where the value is, in an array of `count` elements.
inline std::size_t place(const contender& me, std::size_t count) {
  if (me.variant() == "front") return 100;
  if (me.variant() == "tenth") return count / 10;
  me.require(me.variant() == "end", "--case is front, tenth or end");
  return count - 1;
}

/// Times `find(vector, value)`, which returns an iterator.
template <class Find>
void measure(contender& me, Find find) {
  const auto count = me.size<std::size_t>();
  me.require(count > 100, "--size is at least 101");
  std::vector<float> numbers(count, 1.0f);
  const std::size_t expected = place(me, count);
  numbers[expected] = 2.0f;
  me.measure(
      2.0f,
      [&](float value) { return static_cast<std::size_t>(find(numbers, value) - numbers.begin()); },
      [&](float, std::size_t found) -> std::string {
        if (found == expected) return {};
        return "found at " + std::to_string(found) + ", and it is at " + std::to_string(expected);
      });
}

}  // namespace bench::find
