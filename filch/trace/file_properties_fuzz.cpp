#include <filch/base/rng.hpp>
#include <filch/base/sort_stably.hpp>
#include <filch/base/text_property_fuzz.hpp>
#include <filch/event/analysis_fields.hpp>
#include <filch/trace/file.hpp>
#include <filch/trace/file_format.hpp>
#include <filch/trace/file_fuzz.hpp>

#include <algorithm>

namespace filch::inline v0_2::trace {
namespace {

template <class T>
T draw(base::split_mix64& random, std::uint64_t below) {
  return static_cast<T>(random() % below);
}

event::record some_record(base::split_mix64& random, std::size_t site_count) {
  event::record made;
  made.what = draw<event::kind>(random, event::kind_count);
  made.doing = draw<event::activity>(random, event::activity_count);
  made.ready = draw<event::ready_work>(random, 3);
  made.slot = random() % 4 == 0 ? event::record::nobody
                                : draw<std::uint16_t>(random, event::record::most_slots);
  made.other = random() % 4 == 0 ? event::record::nobody
                                 : draw<std::uint16_t>(random, event::record::nobody);
  made.amount = draw<std::uint32_t>(
      random, event::names_site(made.what) ? site_count : event::record::most + std::uint64_t{1});
  return made;
}

bool same(const event::entry& a, const event::entry& b) {
  return a.at_ns == b.at_ns && a.worker == b.worker && a.what == b.what;
}
bool same(const event::recorded_worker& a, const event::recorded_worker& b) {
  return a.pool == b.pool && a.index == b.index && a.thread_id == b.thread_id &&
         a.complete_from_ns == b.complete_from_ns && a.lost == b.lost;
}
bool same(const event::call_site& a, const event::call_site& b) {
  return a.address == b.address && a.module == b.module && a.offset == b.offset && a.name == b.name;
}
bool same(const event::recorded_pool& a, const event::recorded_pool& b) {
  return a.slot_count == b.slot_count;
}

double some_number(base::split_mix64& random, double) {
  return static_cast<double>(random() >> random() % 64) / 1024;
}
std::uint64_t some_number(base::split_mix64& random, std::uint64_t) {
  return random() >> random() % 64;
}
duration_histogram some_number(base::split_mix64& random, const duration_histogram&) {
  duration_histogram made;
  made.counts[random() % made.counts.size()] = random();
  return made;
}

template <class Fields, class Of>
void fill(base::split_mix64& random, const Fields& fields, Of& of) {
  for (const auto& field : fields)
    std::visit([&](auto member) { of.*member = some_number(random, of.*member); }, field.value);
}

analysis::result some_analysis(base::split_mix64& random) {
  analysis::result made;
  fill(random, event::analysis_fields, made);
  fill(random, event::cost_fields, made.costs);
  made.sites.resize(random() % 8);
  for (analysis::site& each : made.sites) {
    each.where = {random(), "/usr/bin/some program", 0x234, "main"};
    fill(random, event::site_fields, each);
  }
  return made;
}

event::graph_run some_graph(base::split_mix64& random) {
  event::graph_run made;
  fill(random, event::graph_fields, made);
  made.begin_ns = made.wall_ns = made.work_ns = made.span_ns = random() >> 2;
  made.name = random() % 2 == 0 ? "" : "frame";
  made.nodes.resize(random() % 12);
  for (std::uint32_t i = 0; i != made.nodes.size(); ++i) {
    event::graph_run_node& node = made.nodes[i];
    node.name = "node " + std::to_string(i);
    node.outcome = draw<node_outcome>(random, event::outcome_names.size());
    if (random() % 4 != 0) node.worker = random() % 8;
    node.ns = random() % 1'000'000;
    node.slack_ns = random() % 1'000'000;
    for (std::uint32_t next = i + 1; next != made.nodes.size(); ++next)
      if (random() % 4 == 0) node.successors.push_back(next);
  }
  return made;
}

template <class Fields, class Of>
bool same(const Fields& fields, const Of& a, const Of& b) {
  return std::ranges::all_of(fields, [&](const auto& field) {
    return std::visit([&](auto member) { return a.*member == b.*member; }, field.value);
  });
}
bool same(const analysis::site& a, const analysis::site& b) {
  return same(a.where, b.where) && same(event::site_fields, a, b);
}
bool same(const analysis::result& a, const analysis::result& b) {
  return same(event::analysis_fields, a, b) && same(event::cost_fields, a.costs, b.costs) &&
         std::ranges::equal(a.sites, b.sites,
                            [](const auto& x, const auto& y) { return same(x, y); });
}

bool same(const event::graph_run_node& a, const event::graph_run_node& b) {
  return a.name == b.name && a.outcome == b.outcome && a.successors == b.successors &&
         same(event::graph_node_fields, a, b);
}
bool same(const event::graph_run& a, const event::graph_run& b) {
  return a.name == b.name && same(event::graph_fields, a, b) &&
         std::ranges::equal(a.nodes, b.nodes,
                            [](const auto& x, const auto& y) { return same(x, y); });
}

template <class T>
bool all_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}

}  // namespace

event::recording some_recording(std::uint64_t seed, std::size_t event_count) {
  base::split_mix64 random{seed};
  event::recording made;
  made.program = "/usr/bin/some program";
  made.process_id = 4711;
  made.pools = {{2}, {64}};
  for (std::uint32_t i = 0; i < 5; ++i)
    made.workers.push_back(
        {i % 2, i, 4712 + i, static_cast<std::int64_t>(random() % 100), random() % 1000});
  made.sites = {
      {}, {0x1234, "/usr/bin/some program", 0x234, "main"}, {~std::uint64_t{0}, "", 0, ""}};
  std::int64_t now = 0;
  for (std::size_t i = 0; i < event_count; ++i) {
    now += static_cast<std::int64_t>(random() % (random() % 8 == 0 ? 1'000'000'000 : 300));
    made.entries.push_back({now, draw<std::uint32_t>(random, made.workers.size()),
                            some_record(random, made.sites.size())});
  }
  made.length_ns = now + 1;
  if (seed % 3 != 0) made.fork_ps = random() % 100'000;
  if (seed % 3 == 1) made.reused_rings = random();
  if (seed % 3 != 2) made.throttled_ns = random();
  for (std::uint64_t left = seed % 4; left > 1; --left)
    made.arguments.push_back(std::string(left % 3, 'a'));
  made.processors = random() % 3;
  made.user_ns = seed % 3 == 0 ? random() : 0;
  if (seed % 2 == 1) made.analyzed = some_analysis(random);
  for (std::uint64_t left = seed % 5; left > 1; --left) made.graphs.push_back(some_graph(random));
  // What happened at the same time comes worker by worker.
  base::sort_stably(made.entries, [](const auto& a, const auto& b) {
    return std::pair{a.at_ns, a.worker} < std::pair{b.at_ns, b.worker};
  });
  return made;
}

std::string difference(const event::recording& written, const event::recording& read) {
  if (written.program != read.program || written.process_id != read.process_id ||
      written.arguments != read.arguments || written.length_ns != read.length_ns)
    return "another run";
  if (!std::ranges::all_of(
          facts, [&](const fact& each) { return written.*each.value == read.*each.value; }))
    return "other facts";
  if (!all_same(written.pools, read.pools)) return "other pools";
  if (!all_same(written.workers, read.workers)) return "other workers";
  if (!all_same(written.sites, read.sites)) return "other sites";
  if (written.analyzed.has_value() != read.analyzed.has_value()) return "an analysis on one side";
  if (written.analyzed && !same(*written.analyzed, *read.analyzed)) return "another analysis";
  if (!all_same(written.graphs, read.graphs)) return "other graphs";
  return all_same(written.entries, read.entries) ? "" : "other events";
}

std::string violation_of_file(std::string_view bytes) {
  event::recording read;
  try {
    read = from_bytes(bytes);
  } catch (const bad_file& problem) {
    return std::string_view{problem.what()}.empty() ? "refused without a reason" : "";
  }
  if (read.sites.empty()) return "not even the unknown site";
  if (read.analyzed && !event::is_sound(*read.analyzed))
    return "an analysis with times that are none";
  if (!std::ranges::all_of(read.graphs, [](const auto& each) { return is_sound(each); }))
    return "a graph with a time or an edge that is none";
  std::int64_t latest = 0;
  for (const event::entry& each : read.entries) {
    if (each.at_ns < latest || each.at_ns > read.length_ns)
      return "times that do not ascend within the length";
    if (each.worker >= read.workers.size()) return "an event of no worker";
    if (event::names_site(each.what.what) && each.what.amount >= read.sites.size())
      return "a job of no site";
    latest = each.at_ns;
  }
  if (std::ranges::any_of(read.workers,
                          [&](const auto& worker) { return worker.pool >= read.pools.size(); }))
    return "a worker of no pool";
  const std::string lost = difference(read, from_bytes(to_bytes(read)));
  return lost.empty() ? "" : "written again it has " + lost;
}

}  // namespace filch::trace

std::span<const filch::base::text_property> filch::base::text_properties() {
  static constexpr text_property file{"file", &trace::violation_of_file};
  return {&file, 1};
}
