#include <tools/scale/request.hpp>

#include <algorithm>
#include <array>
#include <charconv>
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

testing::machine find_machine(const std::string& name) {
  struct layout {
    const char* name;
    unsigned nodes, caches, cores;
  };
  static constexpr std::array layouts{layout{"here-2", 1, 1, 2}, layout{"desktop-16", 1, 2, 8},
                                      layout{"server-64", 1, 8, 8}, layout{"server-2x64", 2, 8, 8},
                                      layout{"server-256", 2, 16, 8}};
  const auto found = std::ranges::find(layouts, name, [](const layout& l) { return l.name; });
  if (found == layouts.end())
    throw std::invalid_argument("--machine: no machine is called " + name);
  testing::machine made;
  made.name = name;
  made.note = "default prices";
  made.nodes = found->nodes;
  made.caches_per_node = found->caches;
  made.cores_per_cache = found->cores;
  return made;
}

}  // namespace filch::scaling
