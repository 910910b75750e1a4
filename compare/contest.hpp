#pragma once
#include <compare/workload.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace filch::compare {

/// One run: of a scheduler, or of the plain recursion, where the counts are zero.
struct sample {
  double seconds = 0;
  double cpu_seconds = 0;  ///< Of the whole process, all threads together.
  std::uint64_t jobs_run = 0;
  /// Jobs that ran on another worker than the one that spawned them.
  std::uint64_t jobs_moved = 0;
  /// In jobs; 1 is perfect balance, the number of workers is the worst.
  double busiest_over_mean = 0;
};

struct standing {
  std::string_view name;
  sample typical;                     ///< The round with the median time.
  std::vector<double> round_seconds;  ///< All rounds, in the order they were run.
  /// What is wrong with an answer of this scheduler; empty when nothing.
  std::string wrong;
};

struct standings {
  standing serial;
  std::vector<standing> schedulers;  ///< The fastest first.
};

/// Called before each run: whose turn it is, how many runs are done, how many there will be.
using progress = std::function<void(std::string_view name, unsigned done, unsigned total)>;

/// Runs `what` serially and on every scheduler of the room, `rounds` times each and in turn, so
/// that a change of the machine's speed meets all of them. An untimed run before the first round
/// warms caches and files. Every scheduler is made fresh for each run and warmed up. Neither that
/// nor the checks are timed.
/// Throws: `std::system_error` when the system refuses a thread.
standings hold_contest(const workload& what, unsigned workers, unsigned rounds,
                       const progress& tell);

/// One sentence on what the standings show.
std::string conclusion(const standings& result, unsigned workers);

}  // namespace filch::compare
