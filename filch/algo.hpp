#pragma once
// Data parallelism: `filch::parallel_for`, `filch::parallel_reduce`.
#include <filch/algo/parallel_for.hpp>
#include <filch/algo/parallel_reduce.hpp>
