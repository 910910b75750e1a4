#pragma once
#include <bench/declared_work.hpp>
#include <bench/fib/problem.hpp>
#include <filch/filch.hpp>

namespace bench::fib {

/// Cost: fib(n + 1) - 1 forks, none of them worth stealing except the first few.
inline std::uint64_t on_filch(unsigned n) {
  declare_work();
  if (n < 2) return n;
  const auto [left, right] =
      filch::join([n] { return on_filch(n - 1); }, [n] { return on_filch(n - 2); });
  return left + right;
}

inline std::uint64_t on_filch(const parameters& p) { return on_filch(p.n); }

}  // namespace bench::fib
