// The program `filch-dist`: problems on all ranks of an MPI job.
#include <filch/base/version.hpp>
#include <fmt/format.h>
#include <tools/cli/report.hpp>
#include <tools/dist/problem.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>

namespace filch::dist_cli {

namespace {

constexpr int all_well = 0, went_wrong = 1, misused = 2;

struct settings {
  bool prints_json = false;
  dist::world_options world{};
  std::string checkpoint_folder{};
  double checkpoint_every = 60;  ///< Seconds.
};

double seconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e9; }

/// Of the processor time that a rank had for a run.
double idle_share(const dist::rank_report& of, unsigned workers) {
  const double had = static_cast<double>(of.wall_ns) * workers;
  return had == 0 ? 0 : std::max(0.0, 1 - static_cast<double>(of.busy_ns) / had);
}

nlohmann::json to_json(const std::vector<dist::rank_report>& reports, unsigned workers) {
  nlohmann::json ranks = nlohmann::json::array();
  for (const dist::rank_report& each : reports)
    ranks.push_back({{"tasks", each.tasks},
                     {"steals", each.steals},
                     {"shares_given", each.shares_given},
                     {"requests", each.requests},
                     {"messages", each.messages},
                     {"waves", each.waves},
                     {"checkpoints", each.checkpoints},
                     {"seconds", seconds(each.wall_ns)},
                     {"idle", idle_share(each, workers)}});
  return ranks;
}

void print_ranks(const std::vector<dist::rank_report>& reports, const char* tasks,
                 unsigned workers) {
  using cli::align;
  constexpr std::size_t bar_columns = 24;
  std::uint64_t most = 1;
  for (const dist::rank_report& each : reports) most = std::max(most, each.tasks);
  cli::table ranks{{{"rank", align::right},
                    {tasks, align::right},
                    {"", align::left},
                    {"steals", align::right},
                    {"given", align::right},
                    {"messages", align::right},
                    {"idle", align::right}}};
  for (std::size_t rank = 0; rank < reports.size(); ++rank) {
    const dist::rank_report& each = reports[rank];
    const auto filled = static_cast<std::size_t>(bar_columns * each.tasks / most);
    ranks.add_row({std::to_string(rank), cli::count_text(each.tasks),
                   std::string(filled, '#') + std::string(bar_columns - filled, '.'),
                   cli::count_text(each.steals), cli::count_text(each.shares_given),
                   cli::count_text(each.messages),
                   fmt::format("{:.0f} %", 100 * idle_share(each, workers))});
  }
  ranks.print(stdout);
}

void print(const outcome& found, const std::vector<dist::rank_report>& reports,
           const std::string& name, const char* tasks, const settings& given, unsigned workers) {
  if (given.prints_json) {
    const nlohmann::json all{{"command", name},
                             {"found", found.values},
                             {"wrong", found.wrong},
                             {"ranks", to_json(reports, workers)}};
    return fmt::print("{}\n", all.dump());
  }
  for (const std::string& line : found.lines) fmt::print("{}\n", cli::name_text(line));
  fmt::print("{}: {} in {}, on {}\n\n", name, found.text,
             cli::seconds_text(seconds(reports[0].wall_ns)),
             cli::count_text(reports.size(), "ranks"));
  print_ranks(reports, tasks, workers);
}

int solve_on(dist::world& ranks, problem& chosen, const std::string& name, const settings& given) {
  const outcome found = chosen.solve(
      ranks, {.parameters = chosen.parameters(),
              .checkpoint_folder = given.checkpoint_folder,
              .checkpoint_every_ns = static_cast<std::uint64_t>(1e9 * given.checkpoint_every)});
  const auto reports = ranks.reports();
  if (ranks.rank() == 0) {
    print(found, reports, name, chosen.tasks_are(), given, ranks.pool().concurrency());
    if (!found.wrong.empty()) fmt::print(stderr, "filch-dist: wrong: {}\n", found.wrong);
  }
  return found.wrong.empty() ? all_well : went_wrong;
}

/// Failures are reported before the world ends, which may end all ranks. A failure of this rank
/// alone ends them, too.
int solve(problem& chosen, const std::string& name, const settings& given) {
  dist::world ranks{given.world};
  try {
    return solve_on(ranks, chosen, name, given);
  } catch (const std::exception& problem) {
    const bool is_of_all = dynamic_cast<const dist::run_failed*>(&problem) != nullptr ||
                           dynamic_cast<const dist::ranks_differ*>(&problem) != nullptr;
    if (!is_of_all || ranks.rank() == 0) fmt::print(stderr, "filch-dist: {}\n", problem.what());
    if (!is_of_all) throw;
  }
  return went_wrong;
}

int parse_and_run(int argc, const char* const* argv) {
  CLI::App app{"Problems on all ranks of an MPI job, with a check of the result.", "filch-dist"};
  app.set_version_flag("--version", "filch-dist " FILCH_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Example: mpirun -n 4 filch-dist uts --tree T1\n"
      "\nExit status: 0 all well, 1 a wrong result or a failure, 2 misuse.");
  settings given;
  int exit_code = all_well;
  std::vector<std::unique_ptr<problem>> problems;
  const auto add = [&](const char* name, const char* purpose, std::unique_ptr<problem> made) {
    CLI::App* const sub = app.add_subcommand(name, purpose);
    problems.push_back(std::move(made));
    problem& chosen = *problems.back();
    chosen.add_options(*sub);
    sub->add_option("--workers", given.world.workers,
                    "Workers of each rank; 0: its share of the processors")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(0u, 1024u).description(""));
    sub->add_option("--checkpoint", given.checkpoint_folder,
                    "Folder that all ranks see: a run that was killed goes on from there")
        ->type_name("DIR");
    sub->add_option("--every", given.checkpoint_every, "Between two checkpoints")
        ->type_name("TIME")
        ->default_str("60s")
        ->transform(CLI::AsNumberWithUnit(
            std::map<std::string, double>{{"ms", 0.001}, {"s", 1}, {"min", 60}, {"h", 3600}}));
    sub->add_flag("--json", given.prints_json, "Print one line of JSON");
    sub->callback([&, name] { exit_code = solve(chosen, name, given); });
  };
  add("uts", "Count the nodes of an unbalanced tree", make_uts());
  add("nqueens", "Count the ways to place queens", make_nqueens());
  add("mandelbrot", "Draw the Mandelbrot set; rank 0 has the picture", make_mandelbrot());
  add("find", "Find files by name below folders", make_find());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? all_well : misused;
  }
  return exit_code;
}

}  // namespace

}  // namespace filch::dist_cli

int main(int argc, char** argv) {
  try {
    return filch::dist_cli::parse_and_run(argc, argv);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "filch-dist: {}\n", problem.what());
    return 1;
  }
}
