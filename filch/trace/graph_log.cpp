#include <filch/trace/graph_log.hpp>

#include <filch/trace/layout.hpp>
#include <filch/trace/process_files.hpp>
#include <filch/trace/symbols.hpp>

#include <unistd.h>

#include <algorithm>
#include <unordered_map>

namespace filch::inline v0_2::trace {
namespace {

// A longer name is a mistake, and would be kept for good.
constexpr std::size_t longest_name = 256;

bool is_shorter(const graph_report_entry& a, const graph_report_entry& b) noexcept {
  return a.run.wall_ns < b.run.wall_ns;
}

}  // namespace

const void* graph_log::code_named(std::string_view name) {
  name = name.substr(0, longest_name);
  auto known = names_.find(name);
  if (known == names_.end()) {
    if (names_.size() == most_sites) return nullptr;
    known = names_.emplace(name).first;
  }
  return &*known;
}

void graph_log::name_sites(std::vector<event::call_site>& sites) const {
  std::unordered_map<std::uint64_t, const std::string*> by_address;
  for (const std::string& each : names_)
    by_address[reinterpret_cast<std::uintptr_t>(&each)] = &each;
  for (event::call_site& site : sites) {
    if (const auto found = by_address.find(site.address); found != by_address.end())
      site.name = *found->second;
  }
}

graph_report_entry* graph_log::find(const graph_key& of) noexcept {
  const auto found = std::ranges::find_if(kept_, [&](const graph_report_entry& each) {
    return each.run.name == of.name && each.number == of.number;
  });
  return found == kept_.end() ? nullptr : &*found;
}

bool graph_log::count_run(const graph_key& of, std::uint64_t wall_ns) noexcept {
  if (graph_report_entry* const known = find(of)) {
    ++known->run.runs;
    return wall_ns > known->run.wall_ns;
  }
  return kept_.size() < event::most_graphs ||
         wall_ns > std::ranges::min_element(kept_, is_shorter)->run.wall_ns;
}

void graph_log::keep(graph_report_entry told) {
  if (graph_report_entry* const known = find({told.run.name, told.number})) {
    told.run.runs = known->run.runs;
    if (is_shorter(*known, told)) *known = std::move(told);  // else another thread came between
    return;
  }
  told.run.runs = 1;
  if (kept_.size() < event::most_graphs) {
    kept_.push_back(std::move(told));
  } else {
    *std::ranges::min_element(kept_, is_shorter) = std::move(told);
  }
}

std::vector<graph_report_entry> graph_log::kept_since(std::uint64_t since_ticks) const {
  std::vector<graph_report_entry> found;
  for (const graph_report_entry& each : kept_)
    if (each.began_ticks >= since_ticks) found.push_back(each);
  std::ranges::sort(found, [](const auto& a, const auto& b) { return is_shorter(b, a); });
  return found;
}

std::vector<event::graph_run> named_runs(std::vector<graph_report_entry> kept,
                                         std::uint64_t since_ticks, const tick_clock& clock) {
  std::vector<event::call_site> codes;
  for (const graph_report_entry& each : kept)
    for (const std::uint64_t code : each.codes) codes.emplace_back().address = code;
  std::ranges::sort(codes, {}, &event::call_site::address);
  const auto is_same = [](const auto& a, const auto& b) { return a.address == b.address; };
  codes.erase(std::unique(codes.begin(), codes.end(), is_same), codes.end());
  name_sites(codes, executable_lines(::getpid()));
  std::vector<event::graph_run> made;
  for (graph_report_entry& each : kept) {
    each.run.begin_ns = static_cast<std::uint64_t>(clock.between(since_ticks, each.began_ticks));
    for (std::size_t i = 0; i != each.run.nodes.size(); ++i) {
      std::string& name = each.run.nodes[i].name;
      if (name.empty())
        name = text_of(
            *std::ranges::lower_bound(codes, each.codes[i], {}, &event::call_site::address));
    }
    made.push_back(std::move(each.run));
  }
  return made;
}

}  // namespace filch::trace
