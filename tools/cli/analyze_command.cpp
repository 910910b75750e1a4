#include <filch/base/clock.hpp>
#include <filch/filch.hpp>
#include <filch/topo/cpu_budget.hpp>
#include <fmt/format.h>
#include <tools/cli/analysis_report.hpp>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/workloads/workload.hpp>

#include <algorithm>

namespace filch::cli {

namespace {

struct analyze_request {
  std::string name;
  std::shared_ptr<workload> job;
  unsigned workers = 0;
  unsigned rounds = 0;
  bool as_json = false;
};

double seconds_on(thread_pool& pool, workload& job) {
  job.prepare();
  const std::uint64_t start_ns = base::now_ns();
  pool.run([&] { job.solve(); });
  return static_cast<double>(base::now_ns() - start_ns) * 1e-9;
}

double median(std::vector<double> of) {
  std::ranges::sort(of);
  return (of[(of.size() - 1) / 2] + of[of.size() / 2]) / 2;
}

/// Runs on one worker and on all, in turns, so that both have the same neighbors.
std::vector<measured_run> measure(const analyze_request& request, const analysis::result& found,
                                  unsigned workers) {
  if (request.rounds == 0) return {};
  thread_pool one{pool_options{.workers = 1}}, all{pool_options{.workers = workers}};
  all.warm_up();
  std::vector<double> on_one, on_all;
  for (unsigned i = 0; i != request.rounds; ++i) {
    on_one.push_back(seconds_on(one, *request.job));
    on_all.push_back(seconds_on(all, *request.job));
  }
  const analysis::result scaled = analysis::with_work(found, median(on_one) * 1e9);
  const auto run = [&](unsigned on, std::vector<double> seconds) {
    return measured_run{on, median(std::move(seconds)),
                        analysis::predict(found, on).estimate_ns * 1e-9,
                        analysis::predict(scaled, on).estimate_ns * 1e-9};
  };
  std::vector<measured_run> runs{run(1, on_one)};
  if (workers != 1) runs.push_back(run(workers, on_all));
  return runs;
}

int run(const analyze_request& request) {
  if (!request.as_json) {
    fmt::print("{} {}\n", painted(stdout, tone::strong, request.name), request.job->size());
    std::fflush(stdout);
  }
  thread_pool pool{pool_options{.workers = request.workers}};
  request.job->prepare();
  analysis_report report{
      analyze([&] { request.job->solve(); }, {.pool = &pool}), pool.concurrency(), {}};
  std::string wrong = request.job->check();
  if (wrong.empty()) {
    report.measured = measure(request, report.found, report.workers);
    wrong = request.job->check();
  }
  if (request.as_json) {
    nlohmann::json json = analysis_json(report);
    json["workload"] = request.name;
    json["verified"] = wrong.empty();
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (wrong.empty()) {
    print_analysis(stdout, report);
  }
  if (!wrong.empty())
    fmt::print(stderr, "filch: {}: the result is wrong: {}\n", request.name, wrong);
  return wrong.empty() ? all_well : went_wrong;
}

void add_analysis(CLI::App& parent, const workload_entry& entry, int& exit_code) {
  auto request = std::make_shared<analyze_request>();
  request->name = entry.name;
  request->job = entry.make();
  CLI::App* command = parent.add_subcommand(entry.name, entry.purpose);
  request->job->add_options(*command);
  add_number(*command, "--workers", request->workers,
             "For how many workers to judge; 0 for the CPU budget", 0, topo::max_workers);
  add_number(*command, "--measure", request->rounds,
             "How often to run it on one and on all workers for comparison", 0, 1000);
  command->add_flag("--json", request->as_json, "Print JSON and nothing else");
  command->callback([request, &exit_code] { exit_code = run(*request); });
}

}  // namespace

void add_analyze_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("analyze", "Say how parallel a workload is, from one serial run");
  for (const workload_entry& entry : all_workloads()) add_analysis(*command, entry, exit_code);
  command->footer(
      "Examples:\n"
      "  filch analyze fft\n"
      "  filch analyze mergesort --workers 64\n"
      "  filch analyze fib -n 30 --measure 5\n"
      "`filch analyze WORKLOAD --help` lists the options of a workload.");
  require_one_of(*command, "workload");
}

}  // namespace filch::cli
