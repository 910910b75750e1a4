#pragma once
#include <bench/declared_work.hpp>
#include <bench/sum/problem.hpp>
#include <filch/filch.hpp>

#include <functional>

namespace bench::sum {

inline std::uint64_t on_filch(const parameters& p) {
  return filch::parallel_reduce(
      std::uint64_t{0}, p.count, std::uint64_t{0},
      [&p](std::uint64_t i) {
        declare_work(static_cast<double>(i % cost_period + 1));
        return element(p, i);
      },
      std::plus<>{});
}

}  // namespace bench::sum
