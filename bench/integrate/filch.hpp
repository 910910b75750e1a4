#pragma once
#include <bench/declared_work.hpp>
#include <bench/integrate/problem.hpp>
#include <filch/filch.hpp>

namespace bench::integrate {

inline double on_filch(const interval& whole, double epsilon) {
  declare_work();
  const halves parts{whole, epsilon};
  if (parts.settled) return parts.area();
  const auto [left, right] = filch::join([&] { return on_filch(parts.left, epsilon); },
                                         [&] { return on_filch(parts.right, epsilon); });
  return left + right;
}

inline double on_filch(const parameters& p) { return on_filch(whole_range(p), p.epsilon); }

}  // namespace bench::integrate
