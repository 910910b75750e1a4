#pragma once
// Threads that fight for one cache line, simulated beside real.
#include <filch/testing/machine/machine.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace filch::scaling {

/// A benchmark of `contention_work.hpp`.
struct contention_comparison {
  std::string name;
  std::string unit;  ///< What its time is of.
  double predicted_ns = 0;
  double measured_ns = 0;  ///< Median of the runs in which no thread lost its processor; 0: none.
  std::size_t runs = 0;    ///< So many.
  std::size_t disturbed = 0;

  /// 0.1: the simulation says a tenth too much.
  double error() const noexcept { return predicted_ns / measured_ns - 1; }
};

/// Simulates each benchmark on `on`, and runs it really by `real_program`, which is
/// `filch-contention-real`.
/// Throws: `std::runtime_error` if that program fails, or a simulation does.
std::vector<contention_comparison> compare_contention(const testing::machine& on,
                                                      const std::filesystem::path& real_program);

}  // namespace filch::scaling
