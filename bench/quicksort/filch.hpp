#pragma once
#include <bench/filch_ways.hpp>
#include <bench/quicksort/problem.hpp>

namespace bench::quicksort {

inline void on_filch(std::span<value> values) { sort(values, forked{}); }

}  // namespace bench::quicksort
