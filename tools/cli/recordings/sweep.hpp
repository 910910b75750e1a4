#pragma once
// What `filch sweep --json` has measured, beside a recording.
#include <filch/event/analysis.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace filch::cli {

/// Runs of one program with one number of workers.
struct swept_runs {
  unsigned workers = 0;
  std::vector<std::int64_t> wall_ns;  ///< One or more, in the order in which they ran.

  /// The one that counts: what others do on the machine can only add to it.
  std::int64_t best_ns() const noexcept;
};

/// By number of workers, the first of which is one.
/// Throws: `std::system_error` naming a file that cannot be read; `bad_recording` if it holds no
/// sweep, or none with one worker.
std::vector<swept_runs> load_sweep(const std::filesystem::path& path);

/// "x 1.00 on 1 worker (0.97 to 1.00), 1.92 on 2 (1.74 to 1.92; 1.97 expected)": against the best
/// run on one worker. `found`: work and span of what was watched, or null. What the process took
/// beyond that is taken for serial.
std::string sweep_text(const std::vector<swept_runs>& sweep, const analysis::result* found);
/// The same for the page, by number of workers, measured or not: each run, what is expected, and
/// what no schedule exceeds. Null if nothing was swept.
nlohmann::json sweep_json(const std::vector<swept_runs>& sweep, const analysis::result* found);

}  // namespace filch::cli
