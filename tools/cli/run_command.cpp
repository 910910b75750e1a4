#include <filch/base/clock.hpp>
#include <filch/filch.hpp>
#include <filch/topo/cpu_budget.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/metrics_json.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/workloads/workload.hpp>

#include <algorithm>

namespace filch::cli {

namespace {

/// What the command line says about a run, beside the workload's own options.
struct run_request {
  std::string name;
  std::shared_ptr<workload> job;
  unsigned workers = 0;
  unsigned repeats = 0;
  bool as_json = false;
};

struct run_record {
  unsigned workers = 0;
  std::vector<double> seconds;  ///< Sorted.
  std::string wrong;            ///< What the first wrong result was; empty when all were right.
  metrics_snapshot metrics;

  double best() const { return seconds.front(); }
  double median() const {
    return (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
  }
};

double timed_run(thread_pool& pool, workload& job) {
  const std::uint64_t start_ns = base::now_ns();
  pool.run([&] { job.solve(); });
  return static_cast<double>(base::now_ns() - start_ns) * 1e-9;
}

/// Solves and checks as often as asked for, or until a result is wrong. Only the solving is timed.
run_record carry_out(const run_request& request) {
  thread_pool pool{pool_options{.workers = request.workers}};
  run_record record;
  record.workers = pool.concurrency();
  pool.warm_up();
  for (unsigned i = 0; i < request.repeats && record.wrong.empty(); ++i) {
    request.job->prepare();
    record.seconds.push_back(timed_run(pool, *request.job));
    record.metrics = pool.metrics();
    record.wrong = request.job->check();
  }
  std::ranges::sort(record.seconds);
  return record;
}

void print_json(const run_request& request, const run_record& record) {
  const summary found = request.job->summarise();
  nlohmann::json report = {
      {"workload", request.name},
      {"workers", record.workers},
      {"verified", record.wrong.empty()},
      {"result", found.values},
      {"seconds", {{"min", record.best()}, {"median", record.median()}, {"all", record.seconds}}},
      {"scheduler", record.metrics.total}};
  if (!record.wrong.empty()) report["wrong"] = record.wrong;
  if (found.item_count > 0) {
    report[std::string{found.items_are} + "_per_second"] =
        static_cast<double>(found.item_count) / record.median();
  }
  // A file name need not be UTF-8, and JSON must be.
  fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string time_text(const run_record& record) {
  if (record.seconds.size() == 1) return seconds_text(record.best());
  return fmt::format("{} median of {}, {} best", seconds_text(record.median()),
                     record.seconds.size(), seconds_text(record.best()));
}

std::string scheduler_text(const worker_metrics& did) {
  return fmt::format("{}, {} exposed, {} stalled", count_text(did.steals_won, "steals"),
                     count_text(did.forks_exposed, "forks"),
                     count_text(did.joins_stalled, "joins"));
}

void print_report(const run_request& request, const run_record& record,
                  const std::string& written) {
  const summary found = request.job->summarise();
  const bool right = record.wrong.empty();
  table facts{{{.heading = ""}, {.heading = ""}}};
  facts.add_row({{"result", tone::faint}, {found.text, tone::strong}});
  facts.add_row(
      {{"check", tone::faint},
       right ? table::cell{std::string{"agrees with "} + request.job->checked_against(), tone::good}
             : table::cell{"WRONG: " + record.wrong, tone::bad}});
  facts.add_row({{"time", tone::faint}, time_text(record)});
  if (found.item_count > 0) {
    const double per_second = static_cast<double>(found.item_count) / record.median();
    facts.add_row({{"speed", tone::faint}, rate_text(per_second, found.items_are)});
  }
  facts.add_row({{"scheduler", tone::faint}, scheduler_text(record.metrics.total)});
  if (!written.empty()) facts.add_row({{"wrote", tone::faint}, written});
  facts.print(stdout);
}

void print(const run_request& request, const run_record& record, const std::string& written) {
  if (request.as_json) return print_json(request, record);
  if (record.wrong.empty()) request.job->list_findings();
  print_report(request, record, written);
}

int run(const run_request& request) {
  if (!request.as_json) {
    fmt::print("{} {}\n", painted(stdout, tone::strong, request.name),
               name_text(request.job->size()));
    std::fflush(stdout);
  }
  const run_record record = carry_out(request);
  if (!record.wrong.empty()) {
    print(request, record, "");
    return went_wrong;
  }
  std::string written;
  try {
    written = request.job->write_file();
  } catch (...) {
    print(request, record, "");  // what was computed is not lost by that
    throw;
  }
  print(request, record, written);
  return all_well;
}

}  // namespace

void add_workload_command(CLI::App& parent, const workload_entry& entry, int& exit_code) {
  auto request = std::make_shared<run_request>();
  request->name = entry.name;
  request->job = entry.make();
  request->repeats = request->job->usual_repeats();
  CLI::App* command = parent.add_subcommand(entry.name, entry.purpose);
  request->job->add_options(*command);
  add_number(*command, "--workers", request->workers, "Jobs that run at once; 0 for the CPU budget",
             0, topo::max_workers);
  add_number(*command, "--repeat", request->repeats, "How often to run", 1, 1'000'000);
  command->add_flag("--json", request->as_json, "Print JSON and nothing else");
  command->callback([request, &exit_code] { exit_code = run(*request); });
}

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run a workload on filch and check its result");
  for (const workload_entry& entry : all_workloads())
    add_workload_command(*command, entry, exit_code);
  command->footer(
      "Examples:\n"
      "  filch run uts --tree T3 --workers 2\n"
      "  filch run mandelbrot --out mandelbrot.png\n"
      "  filch run duplicates ~/Documents ~/Downloads\n"
      "`filch run WORKLOAD --help` lists the options of a workload.");
  require_one_of(*command, "workload");
}

}  // namespace filch::cli
