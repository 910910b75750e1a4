#pragma once
#include <bench/declared_work.hpp>
#include <bench/skynet/problem.hpp>
#include <filch/filch.hpp>

#include <tuple>
#include <utility>

namespace bench::skynet {

// Static, as it is in a program's own file: as an inline function a leaf takes a quarter longer.
static std::uint64_t on_filch(std::uint64_t first, std::uint64_t leaves);

template <std::uint64_t... K>
static std::uint64_t sum_of_children(std::uint64_t first, std::uint64_t share,
                                     std::integer_sequence<std::uint64_t, K...>) {
  const auto sums = filch::join([=] { return on_filch(first + K * share, share); }...);
  return std::apply([](auto... sum) { return (sum + ...); }, sums);
}

static std::uint64_t on_filch(std::uint64_t first, std::uint64_t leaves) {
  declare_work();
  if (leaves == 1) return first;
  return sum_of_children(first, leaves / children,
                         std::make_integer_sequence<std::uint64_t, children>{});
}

inline std::uint64_t on_filch(const parameters& p) { return on_filch(0, p.leaves); }

}  // namespace bench::skynet
