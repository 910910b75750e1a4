#pragma once
#include <bench/fft/problem.hpp>
#include <bench/filch_ways.hpp>

namespace bench::fft {

inline void on_filch(const plan& p, const std::vector<number>& in, std::vector<number>& out) {
  p(in, out, forked{});
}

}  // namespace bench::fft
