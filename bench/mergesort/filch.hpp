#pragma once
#include <bench/filch_ways.hpp>
#include <bench/mergesort/problem.hpp>

namespace bench::mergesort {

inline void on_filch(std::span<value> values) { sort(values, forked{}); }

}  // namespace bench::mergesort
