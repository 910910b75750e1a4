#include <filch/trace/collect.hpp>
#include <filch/trace/file.hpp>
#include <filch/trace/segment.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>

#include <unistd.h>

#include <limits>

namespace filch::cli {

namespace {

struct snapshot_request {
  std::int64_t process_id = 0;
  std::string file;
  bool removes = false;
  bool as_json = false;
};

/// A process that records, or did when it died.
struct recorded_process {
  std::int64_t process_id;
  std::string state;  ///< "runs", "ended" or why it cannot be read.
  std::string program;
};

recorded_process look_at(std::int64_t process_id) {
  try {
    const trace::segment_view segment{trace::segment_path(process_id)};
    const auto& program = segment.header().program;
    return {process_id,
            segment.is_alive() ? "runs" : "ended",
            {program.begin(), std::ranges::find(program, '\0')}};
  } catch (const std::exception& problem) {
    return {process_id, problem.what(), ""};
  }
}

int list(bool as_json) {
  std::vector<recorded_process> found;
  for (const std::int64_t process_id : trace::segments_present())
    found.push_back(look_at(process_id));
  if (as_json) {
    nlohmann::json all = nlohmann::json::array();
    for (const recorded_process& each : found)
      all.push_back(
          {{"process", each.process_id}, {"state", each.state}, {"program", each.program}});
    fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return all_well;
  }
  if (found.empty()) {
    fmt::print(
        "No process records, and none has left a recording. Begin with `FILCH_TRACE=out.filch "
        "./program`.\n");
    return all_well;
  }
  table processes{{{"process", align::right}, {"state"}, {"program"}}};
  for (const recorded_process& each : found)
    processes.add_row({std::to_string(each.process_id), each.state, name_text(each.program)});
  processes.print(stdout);
  return all_well;
}

void report(const snapshot_request& request, const event::recording& taken, bool is_alive) {
  std::uint64_t lost = 0;
  for (const event::recorded_worker& each : taken.workers) lost += each.lost;
  const double seconds = static_cast<double>(taken.length_ns) * 1e-9;
  if (request.as_json) {
    const nlohmann::json all{{"process", taken.process_id},
                             {"alive", is_alive},
                             {"program", taken.program},
                             {"seconds", seconds},
                             {"workers", taken.workers.size()},
                             {"events", taken.entries.size()},
                             {"lost", lost},
                             {"file", request.file}};
    fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  table facts{{{.heading = ""}, {.heading = ""}}};
  facts.add_row({{"program", tone::faint}, name_text(taken.program)});
  facts.add_row({{"process", tone::faint},
                 fmt::format("{}, {}", taken.process_id, is_alive ? "runs" : "ended")});
  facts.add_row({{"time", tone::faint}, seconds_text(seconds)});
  facts.add_row({{"events", tone::faint},
                 fmt::format("{} of {}", count_text(taken.entries.size()),
                             count_text(taken.workers.size(), "workers"))});
  if (lost != 0)
    facts.add_row({{"lost", tone::faint},
                   {count_text(lost) + " written over; see FILCH_TRACE_MAX_SIZE", tone::bad}});
  facts.add_row({{"wrote", tone::faint}, name_text(request.file)});
  facts.print(stdout);
}

int take(snapshot_request request) {
  const std::string path = trace::segment_path(request.process_id);
  if (::access(path.c_str(), F_OK) != 0) {
    fmt::print(stderr,
               "filch: process {} does not record, and has left no recording; `filch snapshot` "
               "lists those that have\n",
               request.process_id);
    return went_wrong;
  }
  const trace::segment_view segment{path};
  const bool is_alive = segment.is_alive();
  const event::recording taken = trace::collect(segment);
  if (request.file.empty()) request.file = std::to_string(request.process_id) + ".filch";
  trace::write_file(taken, request.file);
  if (request.removes && !is_alive) trace::remove_segment(request.process_id);
  report(request, taken, is_alive);
  return all_well;
}

}  // namespace

void add_snapshot_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("snapshot", "Save what a process recorded, dead or alive");
  auto request = std::make_shared<snapshot_request>();
  CLI::Option* const process =
      command
          ->add_option("process", request->process_id,
                       "Its number; without one, those that record are listed")
          ->type_name("PID")
          ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max())
                      .description(""));
  command->add_option("-o,--out", request->file, "Where to; PID.filch without it")
      ->type_name("FILE")
      ->needs(process);
  command
      ->add_flag("--remove", request->removes,
                 "Then remove what a process that has ended left in shared memory")
      ->needs(process);
  command->add_flag("--json", request->as_json, "Print JSON and nothing else");
  command->footer(
      "Examples:\n"
      "  FILCH_TRACE=out.filch ./program &   a process that records\n"
      "  filch snapshot                      list such processes\n"
      "  filch snapshot 4711 -o now.filch    what it did last, while it runs on");
  command->callback([request, &exit_code] {
    exit_code = request->process_id == 0 ? list(request->as_json) : take(*request);
  });
}

}  // namespace filch::cli
