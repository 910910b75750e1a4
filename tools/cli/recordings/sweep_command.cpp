// `filch sweep`: a program with one number of workers after another.
#include <filch/base/scratch_folder.hpp>
#include <filch/span/text.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/progress.hpp>
#include <tools/cli/recordings/child.hpp>
#include <tools/cli/recordings/load.hpp>
#include <tools/cli/recordings/show.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <fstream>
#include <memory>

namespace filch::cli {

namespace {

struct sweep_request {
  std::vector<unsigned> workers;
  std::vector<std::string> command;
  unsigned repeats = 1;
  bool as_json = false;
};

/// The best run with one number of workers.
struct sweep_row {
  unsigned workers = 0;
  std::int64_t wall_ns = 0;
  std::vector<std::int64_t> runs_ns;         ///< All of them.
  std::optional<event::recording> recorded;  ///< None if the program wrote none.
  std::optional<span::observation> seen;
};

class child_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The last lines of what a program said.
std::string last_words(const std::filesystem::path& output) {
  constexpr std::size_t lines = 10;
  std::ifstream file{output};
  std::vector<std::string> all;
  for (std::string line; std::getline(file, line);) all.push_back("  " + name_text(line));
  if (all.size() > lines) all.erase(all.begin(), all.end() - lines);
  return fmt::format("{}", fmt::join(all, "\n"));
}

class sweep {
 public:
  explicit sweep(const sweep_request& request) : request_{request} {}

  void run() {
    progress_bar progress{stderr};
    progress.begin("running", request_.workers.size() * request_.repeats);
    for (const unsigned workers : request_.workers) {
      for (unsigned i = 0; i < request_.repeats; ++i) {
        sweep_row now = run_once(workers);
        i == 0 ? begin_row(std::move(now)) : add_to_row(std::move(now));
        progress.step();
      }
    }
  }
  /// Of the runs that have ended well, even if a later one has not.
  const std::vector<sweep_row>& rows() const noexcept { return rows_; }

 private:
  void begin_row(sweep_row first) {
    first.runs_ns.push_back(first.wall_ns);
    rows_.push_back(std::move(first));
  }
  void add_to_row(sweep_row now) {
    sweep_row& best = rows_.back();
    best.runs_ns.push_back(now.wall_ns);
    if (now.wall_ns >= best.wall_ns) return;
    now.runs_ns = std::move(best.runs_ns);
    best = std::move(now);
  }
  sweep_row run_once(unsigned workers) const {
    const std::filesystem::path trace = folder_ / "run.filch", output = folder_ / "output";
    std::filesystem::remove(trace);
    const child_end end = run_child(
        request_.command,
        {{"FILCH_WORKERS", std::to_string(workers)}, {"FILCH_TRACE", trace.string()}}, output);
    if (end.exit_code != 0) {
      throw child_failed{
          fmt::format("{} with FILCH_WORKERS={} ended with status {}; its last words:\n{}",
                      request_.command.front(), workers, end.exit_code, last_words(output))};
    }
    sweep_row row{workers, end.wall_ns, {}, {}, {}};
    if (std::filesystem::exists(trace)) {
      row.recorded = load_recording(trace);
      row.seen = span::observe(*row.recorded, span::busiest_pool(*row.recorded));
    }
    return row;
  }

  const sweep_request& request_;
  std::vector<sweep_row> rows_;
  base::scratch_folder folder_;
};

const span::observation* seen_alone(const std::vector<sweep_row>& rows) {
  const auto alone =
      std::ranges::find_if(rows, [](const sweep_row& row) { return row.workers == 1 && row.seen; });
  return alone == rows.end() ? nullptr : &*alone->seen;
}

span::verdict verdict_of(const sweep_row& row, const span::observation* alone) {
  return span::judge(*row.recorded, *row.seen, {alone == &*row.seen ? nullptr : alone, nullptr});
}

/// Against the first number of workers, which may be any.
double speed_up(const std::vector<sweep_row>& rows, const sweep_row& row) {
  return row.wall_ns == 0
             ? 1
             : static_cast<double>(rows.front().wall_ns) / static_cast<double>(row.wall_ns);
}

void print_table(const std::vector<sweep_row>& rows) {
  const std::string speed_up_heading =
      rows.front().workers == 1 ? "speed-up" : fmt::format("over {}", rows.front().workers);
  std::vector<table::column> columns = {
      {"workers", align::right}, {"time", align::right}, {speed_up_heading, align::right}};
  std::vector<span::use> shown;
  for (const span::use_description& use : span::uses) {
    const bool counts = std::ranges::any_of(rows, [&](const sweep_row& row) {
      return row.seen && row.seen->spent.share(use.what) >= 0.005;
    });
    if (!counts || shown.size() == 5) continue;
    shown.push_back(use.what);
    columns.push_back({std::string{use.name}, align::right});
  }
  table runs{columns};
  for (const sweep_row& row : rows) {
    std::vector<table::cell> cells = {std::to_string(row.workers), time_text(row.wall_ns),
                                      fmt::format("{:.2f}", speed_up(rows, row))};
    for (const span::use use : shown)
      cells.emplace_back(row.seen ? span::percent_text(row.seen->spent.share(use)) : "");
    runs.add_row(std::move(cells));
  }
  runs.print(stdout);
}

void print_verdict(const std::vector<sweep_row>& rows) {
  const sweep_row& widest_row = *std::ranges::max_element(rows, {}, &sweep_row::workers);
  if (!widest_row.seen) {
    fmt::print(stderr,
               "filch: the program wrote no recording, so only its time is known; is it linked "
               "with filch?\n");
    return;
  }
  fmt::print("\n{}: ", count_text(widest_row.workers, "workers"));
  const std::string words = verdict_of(widest_row, seen_alone(rows)).sentence;
  fmt::print("{}\n", fmt::join(wrapped(words, page_columns(stdout) - 12), "\n  "));
}

nlohmann::json as_json(const std::vector<sweep_row>& rows) {
  nlohmann::json all = nlohmann::json::array();
  for (const sweep_row& row : rows) {
    nlohmann::json one{{"workers", row.workers},
                       {"wall_ns", row.wall_ns},
                       {"runs_ns", row.runs_ns},
                       {"speed_up", speed_up(rows, row)}};
    if (row.seen) one["budget"] = to_json(row.seen->spent);
    if (row.seen) one["verdict"] = to_json(verdict_of(row, seen_alone(rows)));
    all.push_back(one);
  }
  return all;
}

void print(const std::vector<sweep_row>& rows, bool wants_json) {
  if (wants_json) {
    fmt::print("{}\n", as_json(rows).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (!rows.empty()) {
    print_table(rows);
    print_verdict(rows);
  }
}

int run(const sweep_request& request) {
  sweep asked{request};
  try {
    asked.run();
  } catch (...) {
    // What took hours is not lost by the last run
    if (!asked.rows().empty()) print(asked.rows(), request.as_json);
    throw;
  }
  print(asked.rows(), request.as_json);
  return all_well;
}

}  // namespace

void add_sweep_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("sweep", "Run a program with one number of workers after another");
  auto request = std::make_shared<sweep_request>();
  command->add_option("--workers", request->workers, "As in 1,2,4; each from 1 to 4096")
      ->type_name("N,N..")
      ->delimiter(',')
      ->required()
      ->allow_extra_args(false)
      ->check(CLI::Range(1u, 4096u).description(""));
  add_number(*command, "--repeat", request->repeats, "Runs with each; the best one counts", 1,
             1000);
  command->add_flag("--json", request->as_json, "Print JSON and nothing else");
  command->add_option("COMMAND", request->command, "The program and its arguments, after --")
      ->required();
  command->footer(
      "Sets FILCH_WORKERS and FILCH_TRACE; what the program prints is\n"
      "shown only when it fails. Speed-ups are over the first number of workers.\n"
      "Examples:\n"
      "  filch sweep --workers 1,2,4 -- ./app --size 1000\n"
      "  filch sweep --workers 1,2,4 --repeat 5 --json -- ./app > sweep.json\n"
      "  filch report run.filch --html page.html --sweep sweep.json   in the plot");
  command->callback([request, &exit_code] { exit_code = run(*request); });
}

}  // namespace filch::cli
