#pragma once
#include <bench/declared_work.hpp>
#include <bench/skewed/problem.hpp>
#include <filch/filch.hpp>

#include <functional>

namespace bench::skewed {

inline std::uint64_t on_filch(const parameters& p) {
  return filch::parallel_reduce(
      std::uint64_t{0}, std::uint64_t{p.rounds.size()}, std::uint64_t{0},
      [&p](std::uint64_t i) {
        declare_work(p.rounds[i]);
        return element(p, i);
      },
      std::plus<>{});
}

}  // namespace bench::skewed
