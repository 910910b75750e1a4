#include <filch/base/scratch_folder.hpp>
#include <filch/base/text_file.hpp>
#include <fmt/format.h>
#include <tools/cli/recordings/child.hpp>
#include <tools/cli/report.hpp>
#include <tools/scale/show.hpp>
#include <tools/scale/validate.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>

namespace filch::scaling {

using nlohmann::json;

namespace {

namespace fs = std::filesystem;

constexpr unsigned serial = 0;  ///< In place of a number of workers.

fs::path real_program() {
  const fs::path found = fs::read_symlink("/proc/self/exe").parent_path() / "filch-scale-real";
  if (!fs::exists(found))
    throw std::runtime_error(
        "--validate needs the program filch-scale-real beside this one: build "
        "the target filch_scale_real");
  return found;
}

/// The time of the fastest of a few runs, in nanoseconds: other load can only add to it.
double fastest_of(const workload& what, unsigned workers) {
  const base::scratch_folder folder;
  const fs::path output = folder / "times";
  std::vector<std::string> command = {real_program(), what.name};
  if (workers == serial) {
    command.emplace_back("--serial");
  } else {
    command.insert(command.end(), {"--workers", std::to_string(workers)});
  }
  const cli::child_end end = cli::run_child(command, {}, output);
  const std::string text = base::read_text(output.string()).text;
  const json times = json::parse(text, nullptr, false);
  if (end.exit_code != 0 || !times.is_array() || times.empty())
    throw std::runtime_error("a real run: " + text);
  return std::ranges::min(times.get<std::vector<double>>());
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

using real_times = std::map<std::pair<const workload*, unsigned>, std::vector<double>>;

/// In rounds, so that what disturbs the machine for a while disturbs all of them.
real_times run_really(const std::vector<const workload*>& chosen, const validation_options& how,
                      const std::function<void()>& step) {
  real_times all;
  for (unsigned round = 0; round < how.rounds; ++round) {
    for (const workload* each : chosen) {
      std::vector<unsigned> counts = how.workers;
      if (each->make(each->small_size).serial) counts.push_back(serial);
      for (const unsigned workers : counts)
        all[{each, workers}].push_back(fastest_of(*each, workers));
    }
    step();
  }
  return all;
}

/// What a node takes in the serial run: its time by the nodes that a simulation counts.
double node_ns_of(const workload& what, double serial_ns, const run_options& how) {
  if (serial_ns == 0) return what.node_ns;
  const point counted = run_points({{&what, what.small_size, 1}}, how, [] {}).front();
  return counted.nodes == 0 ? what.node_ns : serial_ns / counted.nodes;
}

}  // namespace

std::vector<const workload*> validated_workloads() {
  std::vector<const workload*> chosen;
  for (const char* name : {"fib", "uts", "nqueens", "skynet", "integrate", "heat", "sum", "spawn",
                           "channel", "submit-1", "bursts"})
    chosen.push_back(&find_workload(name));
  return chosen;
}

std::vector<comparison> validate(const std::vector<const workload*>& chosen,
                                 const validation_options& how, const std::function<void()>& step) {
  const real_times real = run_really(chosen, how, step);
  std::vector<comparison> all;
  for (const workload* each : chosen) {
    const auto serial_run = real.find({each, serial});
    run_options simulated = how.how;
    simulated.node_ns =
        node_ns_of(*each, serial_run == real.end() ? 0 : median(serial_run->second), how.how);
    std::vector<point_request> requests;
    for (const unsigned workers : how.workers)
      requests.push_back({each, each->small_size, workers});
    for (const point& one : run_points(requests, simulated, [] {})) {
      all.push_back({.what = each,
                     .workers = one.asked.workers,
                     .node_ns = simulated.node_ns,
                     .measured_ns = median(real.at({each, one.asked.workers})),
                     .predicted_ns = static_cast<double>(one.timed_ns),
                     .failure = one.failure});
    }
  }
  return all;
}

error_summary summarize(const std::vector<comparison>& all) {
  std::vector<double> errors;
  for (const comparison& each : all) {
    if (each.failure.empty()) errors.push_back(std::abs(each.error()));
  }
  if (errors.empty()) return {};
  return {median(errors), *std::ranges::max_element(errors)};
}

void print(const std::vector<comparison>& all, const testing::machine& on) {
  using enum cli::align;
  constexpr double bar = 0.2;
  cli::table rows{{{"workload"},
                   {"workers", right},
                   {"ns a node", right},
                   {"measured", right},
                   {"predicted", right},
                   {"ratio", right}}};
  for (const comparison& each : all) {
    if (!each.failure.empty()) {
      rows.add_row({each.what->name, std::to_string(each.workers), {each.failure, cli::tone::bad}});
      continue;
    }
    const bool is_well = std::abs(each.error()) <= bar;
    rows.add_row(
        {each.what->name,
         std::to_string(each.workers),
         fmt::format("{:.3g}", each.node_ns),
         cli::seconds_text(each.measured_ns * 1e-9),
         cli::seconds_text(each.predicted_ns * 1e-9),
         {fmt::format("{:.2f}", 1 + each.error()), is_well ? cli::tone::good : cli::tone::bad}});
  }
  rows.print(stdout);
  const error_summary errors = summarize(all);
  fmt::print("\nThe simulation of {} is wrong by {:.0f} % in the median, {:.0f} % at most.\n",
             on.name, 100 * errors.median, 100 * errors.largest);
}

json to_json(const std::vector<comparison>& all, const testing::machine& on) {
  json rows = json::array();
  for (const comparison& each : all) {
    rows.push_back({{"workload", each.what->name},
                    {"workers", each.workers},
                    {"node_ns", each.node_ns},
                    {"measured_ns", each.measured_ns},
                    {"predicted_ns", each.predicted_ns}});
    if (!each.failure.empty()) rows.back()["failure"] = each.failure;
  }
  const error_summary errors = summarize(all);
  return {{"machine", on.name},
          {"rows", rows},
          {"median_error", errors.median},
          {"largest_error", errors.largest}};
}

}  // namespace filch::scaling
