#pragma once
#include <bench/declared_work.hpp>
#include <bench/skynet/problem.hpp>
#include <filch/filch.hpp>

#include <tuple>
#include <utility>

namespace bench::skynet {

inline std::uint64_t on_filch(std::uint64_t first, std::uint64_t leaves);

template <std::uint64_t... K>
std::uint64_t sum_of_children(std::uint64_t first, std::uint64_t share,
                              std::integer_sequence<std::uint64_t, K...>) {
  const auto sums = filch::join([=] { return on_filch(first + K * share, share); }...);
  return std::apply([](auto... sum) { return (sum + ...); }, sums);
}

inline std::uint64_t on_filch(std::uint64_t first, std::uint64_t leaves) {
  declare_work();
  if (leaves == 1) return first;
  return sum_of_children(first, leaves / children,
                         std::make_integer_sequence<std::uint64_t, children>{});
}

inline std::uint64_t on_filch(const parameters& p) { return on_filch(0, p.leaves); }

}  // namespace bench::skynet
