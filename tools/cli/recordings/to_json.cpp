#include <tools/cli/analysis_json.hpp>
#include <tools/cli/analysis_report.hpp>
#include <tools/cli/recordings/show.hpp>

namespace filch::cli {

using nlohmann::json;

namespace {

json to_json(const span::durations& d) {
  json histogram = json::array();
  const auto counts = d.histogram().counts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0)
      histogram.push_back({{"from_ns", duration_histogram::begin_ns(i)}, {"count", counts[i]}});
  }
  return {{"count", d.count()},           {"total_ns", d.total_ns()},
          {"median_ns", d.median_ns()},   {"p95_ns", d.quantile_ns(0.95)},
          {"longest_ns", d.longest_ns()}, {"histogram", histogram}};
}

json to_json(const event::recording& from, const span::site_summary& s) {
  const event::call_site& where = from.sites[s.site];
  return {{"name", span::name_of(from, s.site)},
          {"module", where.module},
          {"offset", where.offset},
          {"jobs", s.jobs},
          {"stolen", s.stolen},
          {"work_ns", s.work_ns},
          {"attributed_idle_ns", s.attributed_idle_ns},
          {"duration", to_json(s.lasted)}};
}

json to_json(const span::summary& s) {
  json counts, matrix = json::array();
  for (const event::description& each : event::schema) {
    if (event::is_recorded(each.what)) counts[std::string{each.name}] = s.count(each.what);
  }
  for (const span::steals& each : s.matrix) {
    matrix.push_back({{"thief", each.thief}, {"victim", each.victim}, {"count", each.count}});
  }
  return {{"counts", counts},
          {"steal_matrix", matrix},
          {"jobs", to_json(s.jobs)},
          {"taking_a_job", to_json(s.taking)},
          {"waking", to_json(s.waking)},
          {"looks", s.looks},
          {"looks_in_vain", s.looks_in_vain}};
}

json to_json(const span::data_quality& t) {
  return {{"lost_records", t.lost_records},
          {"workers_with_losses", t.workers_with_losses},
          {"complete_from_ns", t.complete_from_ns},
          {"observed_share", t.observed},
          {"work_with_site_share", t.work_with_site},
          {"sampled_work_share", t.sampled_work},
          {"double_claims", t.double_claims},
          {"forks_estimated", t.forks_estimated},
          {"fork_ns", t.fork_ns},
          {"reused_rings", t.reused_rings}};
}

}  // namespace

json to_json(const span::budget& spent) {
  json ns, share;
  for (const span::use_description& each : span::uses) {
    ns[std::string{each.name}] = spent[each.what];
    share[std::string{each.name}] = spent.share(each.what);
  }
  return {{"slots", spent.slot_count},
          {"total_ns", spent.total_ns()},
          {"parallelism", spent.parallelism()},
          {"ns", ns},
          {"share", share}};
}

json to_json(const span::verdict& judged) {
  json findings = json::array();
  for (const span::finding& f : judged.findings) {
    json figures = json::array();
    for (const span::figure& each : f.figures)
      figures.push_back({{"name", each.name}, {"value", each.value}, {"unit", each.unit}});
    findings.push_back({{"fault", span::name_of(f.what)},
                        {"cost", f.cost},
                        {"sentence", f.sentence},
                        {"figures", figures},
                        {"advice", f.advice},
                        {"use", span::uses[static_cast<std::size_t>(span::paid_in(f.what))].name}});
  }
  return {{"sentence", judged.sentence},
          {"findings", findings},
          {"advice", judged.advice},
          {"asks_for_lone_run", judged.asks_for_lone_run}};
}

json to_json(const event::recording& from, const span::observation& seen,
             const span::verdict& judged) {
  json sites = json::array();
  for (const span::site_summary& each : seen.seen.sites) sites.push_back(to_json(from, each));
  json watched;
  if (from.analyzed)
    watched = analysis_json(recorded_analysis(*from.analyzed, seen.spent.slot_count));
  json graphs = json::array();
  for (const event::graph_run& each : from.graphs) {
    graphs.push_back(graph_json(each));
    graphs.back()["critical_path"] = critical_path(each);
  }
  return {{"program", from.program},
          {"process_id", from.process_id},
          {"length_ns", from.length_ns},
          {"processors", from.processors},
          {"user_ns", from.user_ns},
          {"kernel_ns", from.kernel_ns},
          {"page_faults", from.page_faults},
          {"pool", seen.pool},
          {"pools", from.pools.size()},
          {"verdict", to_json(judged)},
          {"budget", to_json(seen.spent)},
          {"sites", sites},
          {"graphs", graphs},
          {"analysis", watched},
          {"idle_while_nothing_ran_ns", seen.idleness.nobodys_ns},
          {"summary", to_json(seen.seen)},
          {"trust", to_json(seen.how_far)}};
}

}  // namespace filch::cli
