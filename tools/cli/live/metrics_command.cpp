// `filch metrics`: what the workers of a running process have counted, as a table, as JSON, or for
// Prometheus.
#include <filch/event/schema.hpp>
#include <filch/sched/pool/prometheus.hpp>
#include <filch/sched/pool/read_metrics.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/http/server.hpp>
#include <tools/cli/live/process.hpp>
#include <tools/cli/metrics_json.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace filch::cli {

namespace {

struct metrics_request {
  std::int64_t process_id = 0;
  std::string listen_at;
  bool as_json = false, as_prometheus = false;
};

std::string prometheus_text(const std::vector<metrics_snapshot>& pools) {
  std::ostringstream text;
  write_prometheus(text, pools);
  return text.str();
}

void print_totals(const metrics_snapshot& pool) {
  fmt::print("pool {}: {}, {}, {}\n", pool.pool, count_text(pool.slot_count, "slots"),
             count_text(pool.workers.size(), "workers"), count_text(pool.ready_jobs, "ready jobs"));
  const std::size_t name_width = 20, figure_width = 16;
  const unsigned width = columns(stdout);
  const auto line = [&](std::string_view name, const std::string& figure,
                        std::string_view meaning) {
    const std::string start =
        fmt::format("  {:<{}}{:>{}}  ", name, name_width, figure, figure_width);
    const std::size_t room = width > start.size() ? width - start.size() : 0;
    const std::string told{meaning.size() <= room ? meaning
                                                  : meaning.substr(0, room < 2 ? 0 : room - 2)};
    fmt::print(
        "{}{}\n", start,
        painted(stdout, tone::faint, meaning.size() <= room || room < 2 ? told : told + ".."));
  };
  for (const event::description& each : event::schema)
    line(each.name,
         count_text(pool.total.*sched::count_fields[static_cast<std::size_t>(each.what)]),
         each.meaning);
  for (const sched::time_field& each : sched::time_fields)
    line(fmt::format("seconds_{}", each.name), seconds_text(pool.total.*each.seconds),
         "by all workers together");
  const time_histogram& waking = pool.total.wake_latency;
  const auto wakes = static_cast<double>(waking.count());
  line("wake_latency", wakes == 0 ? "none" : seconds_text(waking.sum_seconds / wakes),
       "on average, from the choice to running");
}

/// The metrics that can be read now, with a note on standard error if they are not current.
std::vector<metrics_snapshot> read_now(const trace::segment_view& segment,
                                       std::int64_t process_id) {
  const trace::counted_process now = trace::read_counted(segment);
  if (!now.is_recording) {
    fmt::print(stderr, "filch: process {} {}; these are the last figures\n", process_id,
               now.is_alive ? "records no more" : "has ended");
  }
  return metrics_of(now);
}

bool has_ended(const std::optional<trace::segment_view>& segment) {
  return !segment || !segment->is_alive();
}

/// False on a failed read: this is asked again and again, and the next read may succeed.
bool has_ended(std::int64_t process_id) {
  try {
    return has_ended(find_process(process_id));
  } catch (const std::exception&) {
    return false;
  }
}

/// Pages on which no sum goes back: a scraper takes a sum that does for that of a new process.
class pages {
 public:
  /// With the tick length of the first page: measured anew each time, a sum that stands still would
  /// go back.
  std::vector<metrics_snapshot> next(const trace::segment_view& segment,
                                     trace::counted_process now) {
    const std::uint64_t recorder = segment.header().calibration_ticks;
    if (recorder != recorder_) *this = pages{recorder, now.ns_per_tick};
    now.ns_per_tick = ns_per_tick_;
    std::vector<metrics_snapshot> pools = metrics_of(now);
    for (metrics_snapshot& each : pools) {
      const auto told = std::ranges::find(told_, each.pool, &metrics_snapshot::pool);
      if (told != told_.end()) sched::keep_growing(each, *told);
    }
    told_ = pools;
    return pools;
  }

  pages() = default;

 private:
  pages(std::uint64_t recorder, double ns_per_tick)
      : recorder_{recorder}, ns_per_tick_{ns_per_tick} {}

  /// When it came to be: after an exec() there is another one in the same process.
  std::uint64_t recorder_ = 0;
  double ns_per_tick_ = 0;
  std::vector<metrics_snapshot> told_;
};

http_response page_of(std::int64_t process_id, pages& told) {
  try {
    const auto segment = find_process(process_id);
    if (has_ended(segment))
      return {.status = 503, .body = fmt::format("process {} has ended\n", process_id)};
    const trace::counted_process now = trace::read_counted(*segment);
    if (!now.is_recording)
      return {.status = 503, .body = fmt::format("process {} does not record now\n", process_id)};
    return {.type = "text/plain; version=0.0.4; charset=utf-8",
            .body = prometheus_text(told.next(*segment, now))};
  } catch (const std::exception& problem) {
    return {.status = 503, .body = std::string{problem.what()} + "\n"};
  }
}

http_response answer_to(const std::optional<http_request>& request, std::int64_t process_id,
                        pages& told) {
  if (!request) return refusal(400);
  if (request->method != "GET" && request->method != "HEAD")
    return refusal(405, "Allow: GET, HEAD\r\n");
  if (request->target.substr(0, request->target.find('?')) != "/metrics")
    return {.status = 404, .body = "the page is /metrics\n"};
  return page_of(process_id, told);
}

int serve(const metrics_request& request) {
  std::optional<http_server> opened;
  try {
    opened.emplace(request.listen_at);
  } catch (const std::invalid_argument& misuse) {
    throw CLI::ValidationError("--listen", misuse.what());
  }
  fmt::print("http://{}/metrics\n", opened->address());
  std::fflush(stdout);
  bool is_over = false;
  pages told;
  opened->serve([&](const auto& asked) { return answer_to(asked, request.process_id, told); },
                [&] { return is_over = has_ended(request.process_id); });
  if (is_over) fmt::print(stderr, "filch: process {} has ended\n", request.process_id);
  return all_well;
}

int print_once(const metrics_request& request, const trace::segment_view& segment) {
  const std::vector<metrics_snapshot> pools = read_now(segment, request.process_id);
  if (request.as_json) {
    fmt::print("{}\n", nlohmann::json{{"process", request.process_id},
                                      {"program", program_of(segment)},
                                      {"pools", pools}}
                           .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (request.as_prometheus) {
    fmt::print("{}", prometheus_text(pools));
  } else {
    if (pools.empty()) fmt::print("{}\n", no_worker_text);
    for (const metrics_snapshot& pool : pools) print_totals(pool);
  }
  return all_well;
}

int show_metrics(const metrics_request& request) {
  const auto segment = find_process(request.process_id);
  if (!segment) {
    fmt::print(stderr, "filch: {}\n", not_recording_text(request.process_id));
    return went_wrong;
  }
  return request.listen_at.empty() ? print_once(request, *segment) : serve(request);
}

}  // namespace

void add_metrics_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("metrics", "What a running process has counted, or for Prometheus");
  auto request = std::make_shared<metrics_request>();
  add_process_argument(*command, request->process_id);
  CLI::Option* json = command->add_flag("--json", request->as_json, "Print JSON and nothing else");
  CLI::Option* text = command->add_flag("--prometheus", request->as_prometheus,
                                        "Print the page that --listen serves");
  CLI::Option* listen = command
                            ->add_option("--listen", request->listen_at,
                                         "Serve /metrics here while the process lives")
                            ->type_name("ADDRESS:PORT");
  json->excludes(text)->excludes(listen);
  text->excludes(listen);
  command->footer(
      "The process must record: FILCH_TRACE=out.filch ./program, or a trace_session.\n"
      "Its figures are read from shared memory; nothing is asked of it.\n"
      "\nExamples:\n"
      "  filch metrics 4711\n"
      "  filch metrics 4711 --listen 127.0.0.1:9464");
  command->callback([request, &exit_code] { exit_code = show_metrics(*request); });
}

}  // namespace filch::cli
