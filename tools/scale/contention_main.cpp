// filch-contention MACHINE.toml: what the simulation says of threads that fight for one cache line,
// and what they take here. Returns 1 if one differs by more than a fifth.
#include <fmt/format.h>
#include <tools/cli/report.hpp>
#include <tools/scale/contention.hpp>

#include <cmath>
#include <exception>

namespace filch::scaling {
namespace {

constexpr double most_error = 0.2;

int compare(const char* machine_file, const std::filesystem::path& program) {
  const testing::machine on = testing::read_machine_file(machine_file);
  cli::table rows{{{"benchmark"},
                   {"predicted", cli::align::right},
                   {"measured", cli::align::right},
                   {"error", cli::align::right},
                   {"runs", cli::align::right},
                   {"a time is of a"}}};
  bool all_near = true;
  for (const contention_comparison& each : compare_contention(on, program)) {
    const bool is_near = std::abs(each.error()) <= most_error;
    all_near = all_near && is_near;
    rows.add_row(
        {each.name,
         fmt::format("{:.1f} ns", each.predicted_ns),
         fmt::format("{:.1f} ns", each.measured_ns),
         {fmt::format("{:+.0f} %", 100 * each.error()), is_near ? cli::tone::good : cli::tone::bad},
         fmt::format("{} of {}", each.runs, each.runs + each.disturbed),
         each.unit});
  }
  fmt::print("Simulation of {} beside real threads here\n", on.name);
  rows.print(stdout);
  return all_near ? 0 : 1;
}

}  // namespace
}  // namespace filch::scaling

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "filch-contention MACHINE.toml\n");
    return 2;
  }
  try {
    const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    return filch::scaling::compare(arguments[1], here / "filch-contention-real");
  } catch (const std::exception& failure) {
    fmt::print(stderr, "filch-contention: {}\n", failure.what());
    return 1;
  }
}
