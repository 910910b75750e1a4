#include <tools/scale/request.hpp>

#include <array>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace filch::scaling {

namespace {

constexpr unsigned most_workers = 4096;

unsigned number_in(std::string_view text) {
  unsigned number = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || behind != end || number == 0 || number > most_workers) {
    throw std::invalid_argument("--workers: '" + std::string(text) + "' is no number from 1 to " +
                                std::to_string(most_workers));
  }
  return number;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == text.npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

/// Adds what lies between the last number and `end`.
void go_on(std::vector<unsigned>& counts, unsigned end) {
  const std::size_t known = counts.size();
  const unsigned ratio = known < 2 ? 0 : counts[known - 1] / counts[known - 2];
  if (ratio < 2)
    throw std::invalid_argument("--workers: '...' stands behind two numbers, as in 1,2,...,64");
  for (unsigned next = counts.back() * ratio; next < end; next *= ratio) counts.push_back(next);
}

}  // namespace

std::vector<unsigned> worker_counts(const std::string& text) {
  std::vector<unsigned> counts;
  bool goes_on = false;
  for (const std::string_view part : parts_of(text)) {
    if (part == "...") {
      goes_on = true;
      continue;
    }
    const unsigned number = number_in(part);
    if (goes_on) go_on(counts, number);
    goes_on = false;
    counts.push_back(number);
  }
  if (goes_on) throw std::invalid_argument("--workers: a number follows '...'");
  return counts;
}

std::vector<unsigned> usual_worker_counts(unsigned cores) {
  std::vector<unsigned> counts;
  for (unsigned each = 1; each < cores; each *= 2) counts.push_back(each);
  counts.push_back(cores);
  return counts;
}

std::filesystem::path find_machine(const std::string& name, const std::string& sources) {
  namespace fs = std::filesystem;
  if (name.find('/') != name.npos || name.ends_with(".toml")) return name;
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  // Installed in bin, in libexec/filch, and in a build folder of the sources
  const std::array folders{fs::path{sources} / "filch/testing/machines",
                           here / "../share/filch/machines", here / "../../share/filch/machines",
                           here / "../../../../filch/testing/machines"};
  std::string names;
  for (const fs::path& folder : folders) {
    if (!is_directory(folder)) continue;
    if (const fs::path found = folder / (name + ".toml"); exists(found)) return found;
    for (const fs::path& each : fs::directory_iterator{folder}) {
      if (each.extension() == ".toml") names += (names.empty() ? "" : ", ") + each.stem().string();
    }
  }
  throw std::invalid_argument("--machine: no machine is called " + name +
                              (names.empty() ? "" : ": choose of " + names));
}

std::optional<known_error> error_of(const std::filesystem::path& machine_file) {
  for (const std::string& name : {machine_file.stem().string(), std::string("here-2")}) {
    const std::filesystem::path file = machine_file.parent_path() / (name + ".validated.json");
    std::ifstream from{file};
    const nlohmann::json found = nlohmann::json::parse(from, nullptr, false);
    if (found.is_discarded() || !found.is_object()) continue;
    return known_error{name, found.value("median_error", 0.0), found.value("largest_error", 0.0)};
  }
  return std::nullopt;
}

}  // namespace filch::scaling
