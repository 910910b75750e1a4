#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <stdexcept>

namespace filch::inline v0_2::dist {

/// Ranks cannot work together: another MPI's launcher started them, or they run other programs,
/// calls or parameters. Thrown on all ranks.
class FILCH_EXPORT ranks_differ : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A run has ended without a result, on all ranks: what one of them reported. No further run is
/// possible.
class FILCH_EXPORT run_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A checkpoint cannot be read or written, or is of another run. Thrown by the rank that notices;
/// others throw `ranks_differ` before a run, `run_failed` in it.
class FILCH_EXPORT checkpoint_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What one rank did in a run.
struct rank_report {
  std::uint64_t tasks = 0;   ///< As counted by `process` of the bags.
  std::uint64_t steals = 0;  ///< Shares received.
  std::uint64_t shares_given = 0;
  std::uint64_t requests = 0;
  std::uint64_t messages = 0;     ///< Sent, of all kinds.
  std::uint64_t waves = 0;        ///< At rank 0.
  std::uint64_t checkpoints = 0;  ///< Written.
  std::uint64_t wall_ns = 0;      ///< Of the run, at this rank.
  std::uint64_t busy_ns = 0;      ///< Of all workers together, in `process`.
};

}  // namespace filch::dist
