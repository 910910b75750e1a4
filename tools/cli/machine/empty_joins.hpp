#pragma once
#include <filch/fork.hpp>

namespace filch::cli {

/// Forks and joins 2^`depth` - 1 times, and does nothing else.
inline void empty_joins(unsigned depth) {
  if (depth == 0) return;
  join([=] { empty_joins(depth - 1); }, [=] { empty_joins(depth - 1); });
}
constexpr double empty_join_count(unsigned depth) noexcept {
  return static_cast<double>((1ULL << depth) - 1);
}

}  // namespace filch::cli
