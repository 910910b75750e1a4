#pragma once
// Data parallelism: loops and algorithms over ranges.
#include <filch/algo/blocked_for.hpp>
#include <filch/algo/parallel_for.hpp>
#include <filch/algo/parallel_reduce.hpp>
#include <filch/algo/pipeline.hpp>
#include <filch/algo/ranges/to.hpp>
#include <filch/algo/ranges/views.hpp>
#include <filch/algo/scan.hpp>
#include <filch/algo/settings.hpp>
#include <filch/algo/while_each.hpp>
