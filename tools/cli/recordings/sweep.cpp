#include <filch/base/text_file.hpp>
#include <filch/span/predict.hpp>
#include <tools/cli/recordings/number_of.hpp>
#include <tools/cli/recordings/sweep.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>

namespace filch::cli {

using nlohmann::json;

namespace {

std::string content_of(const std::filesystem::path& path) {
  base::file_text file = base::read_text(path.string());
  if (file.error) throw std::system_error{file.error, "cannot read " + path.string()};
  return std::move(file.text);
}

/// As a row of `filch sweep --json` has them; of versions that told only the best run, that.
std::vector<std::int64_t> runs_of(const json& row) {
  std::vector<std::int64_t> made;
  for (const json& each : row.value("runs_ns", json::array({row.at("wall_ns")}))) {
    made.push_back(number_of<std::int64_t>(each));
    if (made.back() <= 0) throw bad_recording{"a run took no time"};
  }
  if (made.empty()) throw bad_recording{"a number of workers without a run"};
  return made;
}

std::vector<swept_runs> sweep_of(const json& rows) {
  if (rows.is_discarded()) throw bad_recording{"it is no JSON"};
  if (!rows.is_array()) throw bad_recording{"it is no array"};
  std::map<unsigned, std::vector<std::int64_t>> by_workers;
  for (const json& row : rows) {
    std::vector<std::int64_t>& all = by_workers[number_of<unsigned>(row.at("workers"))];
    const std::vector<std::int64_t> more = runs_of(row);
    all.insert(all.end(), more.begin(), more.end());
  }
  if (by_workers.empty() || by_workers.begin()->first != 1) {
    throw bad_recording{
        "it has no run on one worker, and speed-ups are over that; sweep with --workers 1,2.."};
  }
  std::vector<swept_runs> made;
  for (auto& [workers, wall_ns] : by_workers) made.push_back({workers, std::move(wall_ns)});
  return made;
}

/// How many times as fast as the best run on one worker.
double speed_up(const std::vector<swept_runs>& sweep, std::int64_t wall_ns) {
  return static_cast<double>(sweep.front().best_ns()) / static_cast<double>(wall_ns);
}

/// As the table of `filch sweep` has it.
std::string times_text(double times) { return fmt::format("{:.2f}", times); }

/// Of the whole process: what its best run on one worker took beyond the work that was watched is
/// taken for serial.
analysis::result whole_process(const analysis::result& found,
                               const std::vector<swept_runs>& sweep) {
  analysis::result made = found;
  const double outside_ns =
      std::max(0.0, static_cast<double>(sweep.front().best_ns()) - found.work_ns);
  for (double* each : {&made.work_ns, &made.span_ns, &made.burdened_span_ns}) *each += outside_ns;
  return made;
}

json row_of(unsigned workers, const std::vector<swept_runs>& sweep,
            const std::optional<analysis::result>& whole) {
  json speed_ups = json::array();
  const auto swept = std::ranges::find(sweep, workers, &swept_runs::workers);
  if (swept != sweep.end()) {
    for (const std::int64_t wall_ns : swept->wall_ns) speed_ups.push_back(speed_up(sweep, wall_ns));
  }
  json made = {
      {"workers", workers}, {"speed_ups", speed_ups}, {"bound", workers}, {"expected", json()}};
  if (!whole) return made;
  const analysis::predicted_time time = analysis::predict(*whole, workers);
  if (time.bound_ns > 0) made["bound"] = whole->work_ns / time.bound_ns;
  made["expected"] = time.speed_up(whole->work_ns);
  return made;
}

}  // namespace

std::int64_t swept_runs::best_ns() const noexcept { return *std::ranges::min_element(wall_ns); }

std::vector<swept_runs> load_sweep(const std::filesystem::path& path) {
  const auto refuse = [&](const char* why) {
    return bad_recording{
        fmt::format("{}: no sweep as `filch sweep --json` prints it: {}", path.string(), why)};
  };
  const std::string text = content_of(path);
  try {
    return sweep_of(json::parse(text, nullptr, false));
  } catch (const json::exception& failure) {
    throw refuse(failure.what());
  } catch (const bad_recording& failure) {
    throw refuse(failure.what());
  }
}

std::string sweep_text(const std::vector<swept_runs>& sweep, const analysis::result* found) {
  std::string text;
  for (const swept_runs& each : sweep) {
    std::vector<std::string> aside;
    const std::string best = times_text(speed_up(sweep, each.best_ns()));
    const std::string slowest =
        times_text(speed_up(sweep, *std::ranges::max_element(each.wall_ns)));
    if (each.wall_ns.size() > 1) aside.push_back(fmt::format("{} to {}", slowest, best));
    if (found != nullptr && each.workers != 1) {
      const analysis::result whole = whole_process(*found, sweep);
      aside.push_back(times_text(analysis::predict(whole, each.workers).speed_up(whole.work_ns)) +
                      " expected");
    }
    text +=
        fmt::format("{} on {}", best, each.workers == 1 ? "1 worker" : count_text(each.workers));
    if (!aside.empty()) text += fmt::format(" ({})", fmt::join(aside, "; "));
    if (&each != &sweep.back()) text += ", ";
  }
  return "x " + text;
}

json sweep_json(const std::vector<swept_runs>& sweep, const analysis::result* found) {
  if (sweep.empty()) return {};
  std::set<unsigned> counts;
  for (unsigned each = 1; each <= 1024; each *= 2) counts.insert(each);
  for (const swept_runs& each : sweep) counts.insert(each.workers);
  std::optional<analysis::result> whole;
  if (found != nullptr) whole = whole_process(*found, sweep);
  json rows = json::array();
  for (const unsigned each : counts) rows.push_back(row_of(each, sweep, whole));
  if (!whole) return {{"rows", rows}, {"whole", json()}};
  return {{"rows", rows},
          {"whole",
           {{"outside_ns", whole->work_ns - found->work_ns},
            {"parallelism", whole->parallelism()},
            {"burdened_parallelism", whole->burdened_parallelism()}}}};
}

}  // namespace filch::cli
