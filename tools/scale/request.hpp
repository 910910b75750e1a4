#pragma once
// What the command line asks for.
#include <filch/testing/machine/machine.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace filch::scaling {

/// "1,2,4,...,64": dots go on as the two numbers before them, by their ratio.
/// Throws: `std::invalid_argument` with the cause.
std::vector<unsigned> worker_counts(const std::string& text);
/// 1, 2, 4, ... and `cores`.
std::vector<unsigned> usual_worker_counts(unsigned cores);

/// The file of a machine: `name` itself if it is one, else that of this name among those of the
/// installation, or below `sources`. Throws: `std::invalid_argument` that lists them.
std::filesystem::path find_machine(const std::string& name, const std::string& sources);

/// How wrong simulations were where real runs could be compared.
struct known_error {
  std::string machine;  ///< Which was compared.
  double median = 0, largest = 0;
};
/// What `filch-scale --validate --json` said of the machine: the file NAME.validated.json beside
/// NAME.toml; else that of here-2.
std::optional<known_error> error_of(const std::filesystem::path& machine_file);

/// A machine, and how far to believe its simulation.
struct simulated_machine {
  testing::machine on;
  std::optional<known_error> error = {};
};

}  // namespace filch::scaling
