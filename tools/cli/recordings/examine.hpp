#pragma once
// From the arguments of a command to all that is known of a recording.
#include <filch/span/verdict.hpp>
#include <tools/cli/recordings/pool_option.hpp>
#include <tools/cli/recordings/sweep.hpp>

#include <optional>
#include <string>

namespace filch::cli {

/// Which recording, which pool of it, and what to compare it with.
struct recording_choice {
  std::string file;
  std::string on_one_worker;
  std::string sweep;
  int pool = busiest;
};

/// Adds FILE, --alone, --sweep and --pool.
CLI::Option* add_recording_options(CLI::App& command, recording_choice& choice);

struct examination {
  event::recording recorded;
  span::observation seen;
  std::optional<span::observation> seen_alone;  ///< The same work on one worker.
  std::optional<analysis::result> watched_alone;  ///< What watching that found, if it was watched.
  /// What was measured beside; empty if nothing was.
  std::vector<swept_runs> sweep;
  span::verdict judged;
  /// The commands that record the same work on one worker and compare, each as the words of a
  /// shell; empty if that tells nothing new.
  std::vector<std::vector<std::string>> commands;

  span::lone_run alone() const noexcept {
    return {seen_alone ? &*seen_alone : nullptr, watched_alone ? &*watched_alone : nullptr};
  }
  /// Work and span, if the recording or the one on one worker has any.
  const analysis::result* work_and_span() const noexcept {
    return recorded.analyzed ? &*recorded.analyzed : watched_alone ? &*watched_alone : nullptr;
  }
};

/// Throws: as `load_recording`, `load_sweep` and `chosen_pool`; `bad_recording` if the run on
/// one worker is none.
examination examine(const recording_choice& choice);

/// The page of it, with its data.
std::string page_of(const examination& made);

}  // namespace filch::cli
