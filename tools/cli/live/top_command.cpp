// `filch top`: what a running process does now, frame by frame.
#include <filch/base/thread.hpp>
#include <filch/trace/collect.hpp>
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/live/asleep.hpp>
#include <tools/cli/live/load.hpp>
#include <tools/cli/live/process.hpp>
#include <tools/cli/report.hpp>
#include <tools/cli/terminal.hpp>

#include <cstdio>
#include <memory>

namespace filch::cli {

namespace {

constexpr double judged_seconds = 3;  // shorter, and the sentence changes faster than one reads

struct top_request {
  std::int64_t process_id = 0;
  double interval_seconds = 1;
  std::uint64_t frames = 0;
  bool as_json = false;

  int interval_ms() const noexcept { return static_cast<int>(interval_seconds * 1000); }
};

span::verdict judge_last_seconds(const trace::segment_view& segment,
                                 const trace::counted_process& now, double seconds) {
  const auto ticks = static_cast<std::uint64_t>(seconds * 1e9 / now.ns_per_tick);
  const event::recording recorded =
      trace::collect(segment, now.now_ticks > ticks ? now.now_ticks - ticks : 0);
  span::verdict none;
  if (recorded.pools.empty()) {
    none.sentence = no_worker_text;
    return none;
  }
  if (const std::string fault = span::find_fault(recorded); !fault.empty()) {
    none.sentence = "What it has recorded makes no sense: " + fault + ".";
    return none;
  }
  return span::judge(recorded, span::observe(recorded, span::busiest_pool(recorded)));
}

/// One process, looked at again and again.
class watched_process {
 public:
  explicit watched_process(const top_request& request) : request_{request} {}

  /// False when it has ended or records no more: `end_text` says which.
  bool look() {
    const auto segment = find_process(request_.process_id);
    if (!segment) {
      end_text_ = has_looked_ ? "has ended" : "";
      return false;
    }
    trace::counted_process now = trace::read_counted(*segment);
    if (!now.is_recording) {
      end_text_ =
          now.is_alive ? "records no more" : "has ended; `filch snapshot` saves what it left";
      return false;
    }
    thread_looks threads = look_at_threads(request_.process_id, now);
    if (has_looked_) {
      seen_ = compare(before_, now);
      seen_.process_id = request_.process_id;
      seen_.program = program_of(*segment);
      seen_.judged =
          judge_last_seconds(*segment, now, std::max(judged_seconds, request_.interval_seconds));
      tell_sleep(seen_, threads_before_, threads);
    }
    before_ = std::move(now);
    threads_before_ = std::move(threads);
    has_looked_ = true;
    return true;
  }
  const process_load& seen() const noexcept { return seen_; }
  /// Empty: it was never there.
  const std::string& end_text() const noexcept { return end_text_; }

 private:
  const top_request& request_;
  trace::counted_process before_;
  thread_looks threads_before_;
  process_load seen_;
  std::string end_text_;
  bool has_looked_ = false;
};

void print_frame(const top_request& request, const process_load& seen) {
  if (request.as_json) {
    fmt::print("{}\n",
               to_json(seen).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    for (const std::string& line : picture_of(seen, columns(stdout), ~std::size_t{0}, stdout))
      fmt::print("{}\n", line);
    fmt::print("\n");
  }
  std::fflush(stdout);
}

void draw_frame(const process_load& seen) {
  std::string screen = "\033[H";
  for (const std::string& line : picture_of(seen, columns(stdout), screen_lines(), stdout))
    screen += line + "\033[K\r\n";
  fmt::print("{}\033[J{}", screen, painted(stdout, tone::faint, "  q leaves"));
  std::fflush(stdout);
}

bool asks_to_leave(const std::optional<std::string>& typed) {
  return !typed || typed->find_first_of("q\003") != typed->npos;
}

/// On a screen of its own. Returns when the user leaves, or there is no more to see.
void show_on_terminal(const top_request& request, watched_process& process) {
  const raw_terminal screen;
  constexpr int first_ms = 200;  // something to see soon
  for (std::uint64_t shown = 0; request.frames == 0 || shown < request.frames; ++shown) {
    if (asks_to_leave(typed_within(shown == 0 ? std::min(first_ms, request.interval_ms())
                                              : request.interval_ms())))
      return;
    if (!process.look()) return;
    draw_frame(process.seen());
  }
}

void print_frames(const top_request& request, watched_process& process) {
  for (std::uint64_t shown = 0; request.frames == 0 || shown < request.frames; ++shown) {
    base::nap_thread(std::chrono::milliseconds(request.interval_ms()));
    if (!process.look()) return;
    print_frame(request, process.seen());
  }
}

int top(const top_request& request) {
  watched_process process{request};
  if (!process.look()) {
    fmt::print(stderr, "filch: {}\n",
               process.end_text().empty()
                   ? not_recording_text(request.process_id)
                   : fmt::format("process {} {}", request.process_id, process.end_text()));
    return went_wrong;
  }
  if (!request.as_json && is_terminal(stdout) && is_terminal(stdin)) {
    show_on_terminal(request, process);
  } else {
    print_frames(request, process);
  }
  if (!process.end_text().empty())
    fmt::print(stderr, "filch: process {} {}\n", request.process_id, process.end_text());
  return all_well;
}

}  // namespace

void add_top_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("top", "What the workers of a running process do now");
  auto request = std::make_shared<top_request>();
  add_process_argument(*command, request->process_id);
  add_number(*command, "--interval", request->interval_seconds, "Seconds from frame to frame", 0.05,
             3600);
  add_number(*command, "--count", request->frames,
             "End after so many frames; 0: when the process ends", 0, 1'000'000'000);
  command->add_flag("--json", request->as_json,
                    "Print a line of JSON for each frame and nothing else");
  command->footer(
      "The process must record: FILCH_TRACE=out.filch ./program, or a trace_session.\n"
      "It is read from shared memory; nothing is asked of it. On a terminal q and\n"
      "ctrl-C leave; elsewhere each frame is printed. Shares are of a worker's time\n"
      "between two frames; the sentence is on the last 3 seconds of the busiest pool.\n"
      "A worker is asleep where its job waits in the kernel with the slot in hand.\n"
      "Ready queues are as of the last time that their worker reported anything.\n"
      "\nExamples:\n"
      "  filch top 4711\n"
      "  filch top 4711 --interval 0.5 --count 10 --json");
  command->callback([request, &exit_code] { exit_code = top(*request); });
}

}  // namespace filch::cli
