// `filch-scale`: the library on a simulated machine with many cores.
#include <CLI/CLI.hpp>
#include <filch/base/version.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/page.hpp>
#include <tools/cli/progress.hpp>
#include <tools/cli/report.hpp>
#include <tools/scale/request.hpp>
#include <tools/scale/show.hpp>
#include <tools/scale/steady_addresses.hpp>
#include <tools/scale/validate.hpp>
#include <tools/viewer/pages.hpp>

#include <algorithm>
#include <exception>

namespace filch::scaling {

namespace {

struct request {
  std::vector<std::string> workloads;
  std::string machine = "here-2";
  std::string workers;
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
  double node_ns = -1;
  unsigned at_once = 2;
  std::size_t lines = 5;
  std::string sources = ".";
  std::string page;
  bool as_json = false;
  bool lists = false;
  bool validates = false;
  unsigned rounds = 5;
};

void list_workloads() {
  using enum cli::align;
  cli::table rows{{{"workload"}, {"what it does"}, {"size", right}, {""}, {"ns a node", right}}};
  for (const workload& each : all_workloads()) {
    rows.add_row({{each.name, cli::tone::strong},
                  each.purpose,
                  cli::count_text(each.size),
                  each.size_is,
                  fmt::format("{}", each.node_ns)});
  }
  rows.print(stdout);
}

std::vector<const workload*> chosen_by(const request& asked) {
  std::vector<const workload*> chosen;
  for (const std::string& each : asked.workloads) {
    if (each == "all") {
      for (const workload& one : all_workloads()) chosen.push_back(&one);
    } else {
      chosen.push_back(&find_workload(each));
    }
  }
  return chosen;
}

std::vector<point_request> points_of(const request& asked, const testing::machine& on) {
  const std::vector<unsigned> workers =
      asked.workers.empty() ? usual_worker_counts(on.cores()) : worker_counts(asked.workers);
  std::vector<point_request> made;
  for (const workload* each : chosen_by(asked)) {
    for (const unsigned count : workers)
      made.push_back({each, asked.size != 0 ? asked.size : each->size, count});
  }
  return made;
}

run_options options_of(const request& asked, const testing::machine& on) {
  return {.on = on, .seed = asked.seed, .node_ns = asked.node_ns, .at_once = asked.at_once};
}

int compare_with_real_runs(const request& asked, const testing::machine& on) {
  validation_options how{.how = options_of(asked, on), .rounds = asked.rounds};
  if (!asked.workers.empty()) how.workers = worker_counts(asked.workers);
  cli::progress_bar progress{stderr};
  progress.begin("measuring", asked.rounds);
  const std::vector<comparison> all =
      validate(asked.workloads.empty() ? validated_workloads() : chosen_by(asked), how,
               [&] { progress.step(); });
  progress.clear();
  if (asked.as_json) {
    fmt::print("{}\n", to_json(all, on).dump(2));
  } else {
    print(all, on);
  }
  return cli::all_well;
}

int run(const request& asked) {
  if (asked.lists) {
    list_workloads();
    return cli::all_well;
  }
  const std::filesystem::path machine_file = find_machine(asked.machine, asked.sources);
  const simulated_machine of{testing::read_machine_file(machine_file.string()),
                             error_of(machine_file)};
  const testing::machine& on = of.on;
  if (asked.validates) return compare_with_real_runs(asked, on);
  const std::vector<point_request> requests = points_of(asked, on);
  cli::progress_bar progress{stderr};
  progress.begin("simulating", requests.size());
  const std::vector<point> all = run_points(
      requests, {.on = on, .seed = asked.seed, .node_ns = asked.node_ns, .at_once = asked.at_once},
      [&] { progress.step(); });
  progress.clear();
  sources from{asked.sources};
  if (!asked.page.empty()) {
    const std::string data = everything(all, of, from).dump();
    cli::write_page(asked.page, cli::with_data(viewer::scale_page(), data));
  } else if (asked.as_json) {
    fmt::print("{}\n", everything(all, of, from).dump(2));
  } else {
    print(all, of, from, asked.lines);
  }
  const bool well = std::ranges::all_of(all, [](const point& p) { return p.failure.empty(); });
  return well ? cli::all_well : cli::went_wrong;
}

void add_options(CLI::App& app, request& asked) {
  app.add_option("WORKLOAD", asked.workloads, "What runs: names, or all; see --list")
      ->delimiter(',')
      ->type_name("");
  app.add_option("--machine", asked.machine, "A machine file, or the name of an installed one")
      ->type_name("FILE|NAME")
      ->capture_default_str();
  app.add_option("--workers", asked.workers, "Numbers of workers, as 1,2,4,...,64")
      ->type_name("N,N");
  app.add_option("--size", asked.size, "In place of each workload's own")->type_name("N");
  app.add_option("--seed", asked.seed, "Of the pool's random choices")->type_name("N");
  app.add_option("--node-ns", asked.node_ns, "What a node of the workload costs")->type_name("NS");
  app.add_option("--at-once", asked.at_once, "How many simulations run at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""))
      ->capture_default_str();
  app.add_option("--lines", asked.lines, "How many hot lines to print")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--sources", asked.sources, "Where filch's sources lie, for names of words")
      ->type_name("DIR")
      ->capture_default_str();
  auto* const page =
      app.add_option("--html", asked.page, "Write a page with curves, one file for a browser")
          ->type_name("FILE");
  app.add_flag("--json", asked.as_json, "Print JSON and nothing else")->excludes(page);
  app.add_flag("--list", asked.lists, "List the workloads");
  app.add_flag("--validate", asked.validates,
               "Run them here, too, with 1 and 2 workers, and compare");
  app.add_option("--rounds", asked.rounds, "Of real runs to compare with")
      ->type_name("N")
      ->capture_default_str();
}

int parse_and_run(int argc, char** argv) {
  CLI::App app{"filch-scale: workloads on a simulated machine with many cores.", "filch-scale"};
  app.set_version_flag("--version", "filch-scale " FILCH_VERSION);
  request asked;
  add_options(app, asked);
  try {
    app.parse(argc, argv);
    if (asked.workloads.empty() && !asked.lists && !asked.validates)
      throw CLI::RequiredError("WORKLOAD (see --list)");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::all_well : cli::misused;
  }
  try {
    return run(asked);
  } catch (const std::invalid_argument& wrong) {
    fmt::print(stderr, "filch-scale: {}\n", wrong.what());
    return cli::misused;
  }
}

}  // namespace

}  // namespace filch::scaling

int main(int argc, char** argv) {
  try {
    filch::scaling::use_steady_addresses(argv);
    return filch::scaling::parse_and_run(argc, argv);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "filch-scale: {}\n", failure.what());
    return filch::cli::went_wrong;
  }
}
