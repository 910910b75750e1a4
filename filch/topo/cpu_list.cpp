#include <filch/topo/cpu_list.hpp>

#include <filch/topo/scan.hpp>

namespace filch::inline v0_2::topo {
namespace {

/// Appends "5" or "5-9". Returns false for anything else, and for numbers that are not above all
/// before, as they always are in the kernel's lists.
bool append_range(std::vector<unsigned>& cpus, std::string_view range) {
  const std::size_t dash = range.find('-');
  const auto first = parse_number<unsigned>(range.substr(0, dash));
  const auto last = dash == range.npos ? first : parse_number<unsigned>(range.substr(dash + 1));
  const bool ascends = first && last && *first <= *last && (cpus.empty() || cpus.back() < *first);
  if (!ascends || *last >= max_cpu_number) {
    return false;
  }
  for (unsigned cpu = *first; cpu <= *last; ++cpu) {
    cpus.push_back(cpu);
  }
  return true;
}

}  // namespace

std::optional<std::vector<unsigned>> parse_cpu_list(std::string_view text) {
  text = trimmed(text);
  std::vector<unsigned> cpus;
  if (text.empty()) {
    return cpus;
  }
  for (const std::string_view range : split(text, ',')) {
    if (!append_range(cpus, range)) {
      return std::nullopt;
    }
  }
  return cpus;
}

std::string format_cpu_list(std::span<const unsigned> cpus) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < cpus.size(); first = ++last) {
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) {
      ++last;
    }
    text += (first == 0 ? "" : ",") + std::to_string(cpus[first]);
    text += last > first ? "-" + std::to_string(cpus[last]) : "";
  }
  return text;
}

}  // namespace filch::topo
