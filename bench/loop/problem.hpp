#pragma once
// Adds one to each element of a long array: a loop so plain that splitting it can only cost.
#include <bench/harness/contender.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::loop {

inline constexpr identity as(const char* peer) {
  return {.problem = "loop", .peer = peer, .size = 100'000'000};
}

/// Times `add_one(first element, count)` over an array of `--size` numbers; a first, untimed pass
/// brings the pages in.
template <class AddOne>
void measure(contender& me, AddOne add_one) {
  std::vector<std::uint32_t> numbers(me.size<std::size_t>());
  std::uint32_t passes = 1;
  add_one(numbers.data(), numbers.size());
  me.measure(
      0,
      [&](int) {
        add_one(numbers.data(), numbers.size());
        return ++passes;
      },
      [&](int, std::uint32_t expected) -> std::string {
        const auto wrong = std::find_if(numbers.begin(), numbers.end(),
                                        [&](std::uint32_t n) { return n != expected; });
        if (wrong == numbers.end()) return {};
        return "element " + std::to_string(wrong - numbers.begin()) + " is " +
               std::to_string(*wrong) + ", not " + std::to_string(expected);
      });
}

}  // namespace bench::loop
