#pragma once
#include <filch/base/language.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace filch::inline v0_2::dist {

/// How ranks steal from each other and learn of the end. All ranks need the same.
struct protocol_options {
  /// Random victims that a rank without work asks, one after the other, before its lifelines. 2 and
  /// 4 are guesses; X10's library has 4 and 4.
  unsigned random_tries = 2;
  /// Base of the numbers whose digits a lifeline changes: a rank has up to log(ranks) lifelines.
  int lifeline_base = 4;
  /// Between two waves if the first settled nothing and the second would learn nothing new.
  std::uint64_t wave_pause_ns = 1'000'000;
  /// After so long without an answer a message counts as lost, and the run fails. 0: the transport
  /// loses nothing, or ends all ranks by itself, as MPI does.
  std::uint64_t patience_ns = 0;
  /// Tests only: the ring finds the end.
  bool uses_ring = false;

  bool operator==(const protocol_options&) const = default;
};

/// The options of a `world`. All ranks need the same, but for `workers`.
struct world_options {
  /// Of this rank's pool. 0: FILCH_WORKERS, or what the CPU budget allows, shared among the ranks
  /// on this machine if they are not bound to processors of their own.
  unsigned workers = 0;
  protocol_options protocol{};
  std::uint64_t seed = 1;  ///< Of the choice of victims.
};

/// What a run needs beside its tasks.
struct run_options {
  /// Tasks: a share and what stays behind are at least so many. More for tasks below 10 us.
  std::size_t grain = 1;
  /// The parameters of the problem in any form: ranks whose text differs refuse to run.
  std::string parameters{};
  /// A folder that all ranks see, for checkpoints. If it has one of such a run, that goes on from
  /// there, on any number of ranks, and begins with none of the tasks that are passed. A run that
  /// ends removes its checkpoint. Empty: none are written.
  std::string checkpoint_folder{};
  /// Between two checkpoints. All ranks pause until all have written.
  std::uint64_t checkpoint_every_ns = 60'000'000'000;
};

}  // namespace filch::dist
