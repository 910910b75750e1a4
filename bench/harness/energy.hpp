#pragma once
// The energy that the processor packages take, as Linux counts it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>

namespace bench::energy {

/// What the processor packages have taken so far, in joules, by the folder of their counter; empty
/// if they may not be read.
inline std::map<std::filesystem::path, double> joules_so_far() {
  std::map<std::filesystem::path, double> found;
  std::error_code none;
  for (const std::filesystem::directory_entry& each :
       std::filesystem::directory_iterator("/sys/class/powercap", none)) {
    const std::string name = each.path().filename();
    double microjoules = 0;
    if (!name.starts_with("intel-rapl:") || std::ranges::count(name, ':') != 1) continue;
    if (!(std::ifstream(each.path() / "energy_uj") >> microjoules)) return {};
    found[each.path()] = microjoules * 1e-6;
  }
  return found;
}

/// A counter starts again from zero at a number that it names.
inline double joules_between(const std::map<std::filesystem::path, double>& before,
                             const std::map<std::filesystem::path, double>& after) {
  double joules = 0;
  for (const auto& [folder, last] : after) {
    const auto first = before.find(folder);
    if (first == before.end()) continue;
    double range = 0;
    if (last < first->second) std::ifstream(folder / "max_energy_range_uj") >> range;
    joules += last - first->second + range * 1e-6;
  }
  return joules;
}

}  // namespace bench::energy
