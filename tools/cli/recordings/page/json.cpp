#include <tools/cli/analysis_report.hpp>
#include <tools/cli/recordings/page/json.hpp>
#include <tools/cli/recordings/page/packed.hpp>
#include <tools/cli/recordings/show.hpp>

#include <algorithm>

namespace filch::cli {

using nlohmann::json;

namespace {

/// Sites by their place in the table that the page has, counted from one.
site_numbers numbers_of(const event::recording& from, const span::summary& seen) {
  site_numbers made(from.sites.size());
  for (std::uint32_t i = 0; i < seen.sites.size(); ++i) made[seen.sites[i].site] = i + 1;
  return made;
}

/// The workers of the pool by their index, as the page lists them.
std::vector<std::uint32_t> workers_in_order(const event::recording& from, std::uint32_t pool) {
  std::vector<std::uint32_t> made;
  for (std::uint32_t i = 0; i < from.workers.size(); ++i) {
    if (from.workers[i].pool == pool) made.push_back(i);
  }
  std::ranges::stable_sort(made, {}, [&](std::uint32_t i) { return from.workers[i].index; });
  return made;
}

json occupations_json() {
  json made = json::array();
  for (const span::use_description& each : span::uses) {
    made.push_back(
        {{"name", each.name}, {"letter", std::string(1, each.letter)}, {"meaning", each.meaning}});
  }
  for (const occupation_description& each : idle_occupations)
    made.push_back({{"name", each.name}, {"meaning", each.meaning}});
  return made;
}

json workers_json(const event::recording& from, const span::timeline& laid_out,
                  std::span<const std::uint32_t> order, const std::vector<lane>& lanes,
                  const std::vector<depths>& seen, const grid& by, const site_numbers& sites,
                  bool in_detail) {
  std::vector<std::string> intervals(from.workers.size());
  if (in_detail) intervals = pack_intervals(laid_out, from.workers.size(), sites);
  json made = json::array();
  for (const std::uint32_t worker : order) {
    const event::recorded_worker& who = from.workers[worker];
    made.push_back({{"index", who.index},
                    {"thread_id", who.thread_id},
                    {"complete_from_ns", who.complete_from_ns},
                    {"lost", who.lost},
                    {"cells", to_base64(pack(lanes[worker]))},
                    {"intervals", in_detail ? json(to_base64(intervals[worker])) : json()},
                    {"most_takeable", to_base64(pack(most_by_part(seen[worker], by)))},
                    {"takeable", in_detail ? json(to_base64(pack(seen[worker]))) : json()}});
  }
  return made;
}

std::string jobs_text(const event::recording& from, const span::timeline& laid_out,
                      std::span<const std::uint32_t> order, const site_numbers& sites) {
  std::vector<std::uint32_t> lane_of(from.workers.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) lane_of[order[i]] = i;
  return to_base64(pack(laid_out.jobs, sites, lane_of));
}

/// How long it took, without what it costs to be watched.
std::int64_t length_ns(const span::lone_run& alone) {
  return alone.seen->laid_out.length_ns - alone.seen->spent.work_ns() + alone.work_ns();
}

json alone_json(const span::lone_run& alone, std::uint32_t slots) {
  if (alone.seen == nullptr) return {};
  json watched;
  if (alone.watched != nullptr) watched = analysis_json(recorded_analysis(*alone.watched, slots));
  return {{"length_ns", length_ns(alone)}, {"work_ns", alone.work_ns()}, {"analysis", watched}};
}

}  // namespace

json page_json(const event::recording& from, const span::observation& seen,
               const span::verdict& judged, const span::lone_run& alone, std::size_t detail_limit) {
  const span::timeline& laid_out = seen.laid_out;
  const std::vector<std::uint32_t> order = workers_in_order(from, seen.pool);
  const site_numbers sites = numbers_of(from, seen.seen);
  const grid by = grid::fitting(laid_out.length_ns, laid_out.intervals.size(), order.size());
  const std::vector<lane> lanes = lanes_of(laid_out, from.workers.size(), by);
  const std::vector<depths> queues = depths_of(from, seen.pool);
  const bool in_detail = std::max(laid_out.intervals.size(), laid_out.jobs.size()) <= detail_limit;
  return {{"format", "filch.report"},
          {"version", report_page_version},
          {"report", to_json(from, seen, judged)},
          {"occupations", occupations_json()},
          {"part_ns", by.part_ns},
          {"parts", by.parts()},
          {"workers", workers_json(from, laid_out, order, lanes, queues, by, sites, in_detail)},
          {"free",
           {{"cells", to_base64(pack(lanes.back()))},
            {"vacancies", in_detail ? json(to_base64(pack(laid_out.vacancies))) : json()}}},
          {"jobs", in_detail ? json(jobs_text(from, laid_out, order, sites)) : json()},
          {"steals", to_base64(pack(steals_of(from, seen.pool), sites))},
          {"alone", alone_json(alone, seen.spent.slot_count)}};
}

}  // namespace filch::cli
