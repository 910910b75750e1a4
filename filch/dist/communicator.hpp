#pragma once
#include <filch/dist/checkpoint.hpp>
#include <filch/dist/options.hpp>
#include <filch/dist/report.hpp>
#include <filch/dist/runner.hpp>
#include <filch/dist/transport.hpp>
#include <filch/sched/pool/pool.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::dist {

/// What a rank begins a run with. For filch's own parts.
struct run_start {
  runner::parameters how;
  bool is_restored = false;
  std::vector<checkpoint_part> parts{};  ///< Of the checkpoint, this rank's share.
};

/// All ranks and this rank's pool, whatever carries their messages. Programs make a `world`.
class FILCH_EXPORT communicator {
 public:
  /// Called by all ranks. Lifetime: `wires` outlives it.
  communicator(transport& wires, const pool_options& workers, const world_options& options);
  ~communicator();
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;

  int rank() const noexcept { return wires_.rank(); }
  int size() const noexcept { return wires_.size(); }
  /// The pool that runs the tasks of this rank. Lifetime: as this object.
  thread_pool& pool() noexcept { return pool_; }

  /// What each rank did in the last run; on all ranks. Called by all of them.
  /// Blocks: until all have called.
  std::vector<rank_report> reports();

  // For the functions of this room.
  transport& wires() noexcept { return wires_; }
  message_source& source() noexcept { return source_; }
  /// The parameters of the next run, after a comparison with those of all other ranks. `what` names
  /// the types and parameters.
  /// Throws: `ranks_differ`; `checkpoint_error`; `run_failed` if a run has failed.
  run_start next_run(std::string_view what, const run_options& options);
  void ended(const rank_report& last) noexcept { last_ = last; }
  void failed() noexcept { has_failed_ = true; }
  bool has_failed() const noexcept { return has_failed_; }

 private:
  std::uint64_t restore(run_start& to, std::uint64_t signature, const std::string& folder) const;

  transport& wires_;
  world_options options_;
  std::uint64_t program_;
  std::uint64_t epoch_ = 0;
  bool has_failed_ = false;
  rank_report last_;
  message_source source_;
  thread_pool pool_;
};

}  // namespace filch::dist
