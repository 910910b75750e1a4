#include <tools/cli/workloads/workload.hpp>

namespace filch::cli {

std::span<const workload_entry> all_workloads() {
  static constexpr workload_entry entries[] = {
      {"uts", "Count a very unbalanced tree (UTS sample trees)", make_uts},
      {"fib", "Naive Fibonacci: nothing but forks", make_fib},
      {"nqueens", "Count the placements of n queens", make_nqueens},
      {"integrate", "Adaptive quadrature of x^3 + x", make_integrate},
      {"quicksort", "Sort random 64-bit numbers in place", make_quicksort},
      {"mergesort", "Sort random 64-bit numbers, merging in parallel", make_mergesort},
      {"matmul", "Multiply matrices, cache-obliviously", make_matmul},
      {"fft", "Fast Fourier transform of complex numbers", make_fft},
      {"mandelbrot", "Draw the Mandelbrot set, into a PNG file if asked", make_mandelbrot},
      {"sum", "Sum a million elements of very unequal cost", make_sum},
      {"duplicates", "Find files with equal content", make_duplicates},
  };
  return entries;
}

}  // namespace filch::cli
