#include <compare/contest.hpp>
#include <filch/topo/cpu_budget.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/cli/commands.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace filch::cli {

namespace {

constexpr unsigned most_workers = 1024;  ///< The rivals start all their threads at once.

struct compare_request {
  std::string name;
  std::string size;
  unsigned workers = 0;
  unsigned rounds = 3;
  bool no_cutoff = false;
  bool as_json = false;
};

unsigned budget_workers() {
  if (const std::optional<unsigned> asked_for = topo::workers_from_environment()) return *asked_for;
  return topo::read_budget().workers;
}

compare::workload chosen_workload(const compare_request& request) {
  try {
    return compare::make_workload(
        request.name, request.size,
        request.no_cutoff ? compare::cutoff::none : compare::cutoff::natural);
  } catch (const std::invalid_argument& wrong) {
    throw CLI::ValidationError(wrong.what());
  }
}

/// Tells on one line of a terminal whose turn it is, and wipes the line in the end.
class turn_line {
 public:
  ~turn_line() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  void operator()(std::string_view name, unsigned done, unsigned total) const {
    if (!shown_) return;
    const std::string words =
        fmt::format("{:>3} %  {}", 100 * done / total, name).substr(0, columns(stderr));
    fmt::print(stderr, "\r{}\033[K", words);
    std::fflush(stderr);
  }

 private:
  const bool shown_ = is_terminal(stderr);
};

bool speaks_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale{value};
    return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return false;
}

/// A bar of at most `width` columns, full at 1; in eighths of a column if the terminal can show
/// them.
std::string bar_text(double fullness, unsigned width) {
  const double columns = std::clamp(fullness, 0.0, 1.0) * width;
  if (!speaks_utf8()) return std::string(static_cast<std::size_t>(std::lround(columns)), '=');
  static constexpr std::array<const char*, 8> eighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto filled = static_cast<std::size_t>(std::lround(columns * 8));
  std::string bar;
  for (std::size_t i = 0; i < filled / 8; ++i) bar += "█";
  return bar + eighths[filled % 8];
}

/// Breaks `text` into lines of at most `width` columns and indents them by two.
std::string folded(std::string_view text, std::size_t width) {
  std::string lines;
  while (text.size() > width - 2) {
    std::size_t cut = text.rfind(' ', width - 2);
    if (cut == text.npos) cut = std::min(text.find(' '), text.size());
    lines += fmt::format("  {}\n", text.substr(0, cut));
    text.remove_prefix(std::min(cut + 1, text.size()));
  }
  return lines + fmt::format("  {}\n", text);
}

/// The table of the standings for a person.
class scoreboard {
 public:
  scoreboard(const compare::standings& result, unsigned workers)
      : result_{result}, workers_{workers} {}

  void print() {
    add(result_.serial);
    for (const compare::standing& row : result_.schedulers) add(row);
    table_.print(stdout);
    fmt::print(
        "{}",
        painted(stdout, tone::faint,
                "  busiest: jobs of the busiest worker over the mean; moved: jobs that ran on\n"
                "  another worker than the one that spawned them; CPU: of all threads together\n"));
  }

 private:
  static constexpr unsigned other_columns = 71;

  void add(const compare::standing& row) {
    const bool is_serial = &row == &result_.serial, is_filch = row.name == "filch";
    const tone look = !row.wrong.empty() ? tone::bad
                      : is_serial        ? tone::faint
                      : is_filch         ? tone::strong
                                         : tone::plain;
    const compare::sample& s = row.typical;
    const double speedup = result_.serial.typical.seconds / s.seconds;
    table_.add_row({{std::string{row.name}, look},
                    {fmt::format("{:.1f}", s.seconds * 1e3), look},
                    {fmt::format("{:.{}f}", speedup, speedup < 0.1 ? 3 : 2), look},
                    {bar_text(speedup / workers_, bar_columns_), is_filch ? tone::good : look},
                    {is_serial ? "" : fmt::format("{:.2f}", s.busiest_over_mean), look},
                    {is_serial ? "" : count_text(s.jobs_moved), look},
                    {fmt::format("{:.1f}", s.cpu_seconds * 1e3), look}});
  }

  const compare::standings& result_;
  unsigned workers_;
  unsigned bar_columns_ =
      std::clamp(columns(stdout), other_columns + 8, other_columns + 24) - other_columns;
  table table_{{{"scheduler", align::left},
                {"time ms", align::right},
                {"speed-up", align::right},
                {"", align::left},
                {"busiest", align::right},
                {"moved", align::right},
                {"CPU ms", align::right}}};
};

/// Says so when the serial runs were kept waiting: then the times are not the schedulers' doing.
void print_doubt(const compare::sample& serial) {
  const double share = serial.cpu_seconds / serial.seconds;
  if (share > 0.9) return;
  const std::string doubt = fmt::format(
      "Do not trust the times: even the serial run had a processor for only {:.0f} % of its time, "
      "so other programs or the "
      "disk "
      "had their part in them. The CPU column suffers less.",
      100 * share);
  fmt::print("\n{}", painted(stdout, tone::bad, folded(doubt, std::min(columns(stdout), 100u))));
}

void print_table(const compare::workload& what, const compare_request& request,
                 const compare::standings& result) {
  const std::uint64_t jobs = result.schedulers.front().typical.jobs_run;
  fmt::print("{} on {}, median of {}\n", painted(stdout, tone::strong, what.title),
             count_text(request.workers, "workers"), count_text(request.rounds, "rounds"));
  fmt::print("{}\n\n", painted(stdout, tone::faint,
                               fmt::format("{}: {}", what.jobs_are, count_text(jobs, "jobs"))));
  scoreboard{result, request.workers}.print();
  print_doubt(result.serial.typical);
  fmt::print("\n{}",
             folded(compare::conclusion(result, request.workers), std::min(columns(stdout), 100u)));
}

nlohmann::ordered_json as_json(const compare::standing& row, double serial_seconds) {
  nlohmann::ordered_json entry = {{"scheduler", row.name},
                                  {"seconds", row.typical.seconds},
                                  {"speedup", serial_seconds / row.typical.seconds},
                                  {"cpu_seconds", row.typical.cpu_seconds},
                                  {"jobs", row.typical.jobs_run},
                                  {"jobs_moved", row.typical.jobs_moved},
                                  {"busiest_over_mean", row.typical.busiest_over_mean},
                                  {"all_seconds", row.round_seconds},
                                  {"verified", row.wrong.empty()}};
  if (!row.wrong.empty()) entry["wrong"] = row.wrong;
  return entry;
}

void print_json(const compare::workload& what, const compare_request& request,
                const compare::standings& result) {
  const double serial_seconds = result.serial.typical.seconds;
  nlohmann::ordered_json report = {{"workload", what.title},
                                   {"jobs_are", what.jobs_are},
                                   {"workers", request.workers},
                                   {"rounds", request.rounds},
                                   {"serial",
                                    {{"seconds", serial_seconds},
                                     {"cpu_seconds", result.serial.typical.cpu_seconds},
                                     {"all_seconds", result.serial.round_seconds},
                                     {"verified", result.serial.wrong.empty()}}},
                                   {"schedulers", nlohmann::ordered_json::array()},
                                   {"conclusion", compare::conclusion(result, request.workers)}};
  for (const compare::standing& row : result.schedulers)
    report["schedulers"].push_back(as_json(row, serial_seconds));
  fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// Names every row with a wrong answer on stderr.
int verdict_on(const compare::standings& result) {
  int status = all_well;
  const auto look_at = [&](const compare::standing& row) {
    if (row.wrong.empty()) return;
    fmt::print(stderr, "filch compare: {} gave a wrong answer: {}\n", row.name, row.wrong);
    status = went_wrong;
  };
  look_at(result.serial);
  std::ranges::for_each(result.schedulers, look_at);
  return status;
}

int run_comparison(compare_request request) {
  const compare::workload what = chosen_workload(request);
  if (request.workers == 0) request.workers = std::min(budget_workers(), most_workers);
  const compare::standings result = [&] {
    const turn_line line;
    return compare::hold_contest(what, request.workers, request.rounds, std::cref(line));
  }();
  request.as_json ? print_json(what, request, result) : print_table(what, request, result);
  return verdict_on(result);
}

}  // namespace

void add_compare_command(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<compare_request>();
  CLI::App* command =
      app.add_subcommand("compare", "Run a workload on filch and its rivals, side by side");
  command->add_option("WORKLOAD", request->name, "uts, fib, nqueens, sum or duplicates")
      ->required();
  command->add_option("--size", request->size, "Size of the workload, see below");
  command
      ->add_option("--workers", request->workers, "Jobs that run at once (default: the CPU budget)")
      ->check(CLI::Range(1u, most_workers));
  command->add_option("--repeat", request->rounds, "Rounds, in each of which everybody runs once")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1000u));
  command->add_flag("--no-cutoff", request->no_cutoff, "Make a job even of the smallest piece");
  command->add_flag("--json", request->as_json, "Print JSON and nothing else");
  command->footer("Workloads, and what --size means for them:\n" + compare::workload_help() +
                  "Examples:\n"
                  "  filch compare uts --size T3 --workers 2\n"
                  "  filch compare fib --no-cutoff --workers 1     what one job costs on each");
  command->callback([request, &exit_code] { exit_code = run_comparison(*request); });
}

}  // namespace filch::cli
