// `filch check`: a recording against limits, for scripts.
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/recordings/limits.hpp>
#include <tools/cli/recordings/load.hpp>
#include <tools/cli/recordings/pool_option.hpp>
#include <tools/cli/report.hpp>

#include <memory>

namespace filch::cli {

namespace {

struct check_request {
  std::string file, alone;
  std::vector<std::string> most, least;
  int pool = busiest;
  bool as_json = false;
};

std::vector<limit> limits_of(const check_request& request) {
  if (request.most.empty() && request.least.empty()) throw CLI::ValidationError{"no limit given: use --max or --min"};
  std::vector<limit> made;
  try {
    for (const std::string& text : request.most) made.push_back(parse_limit(text, bound::at_most));
    for (const std::string& text : request.least) made.push_back(parse_limit(text, bound::at_least));
  } catch (const bad_limit& wrong) {
    throw CLI::ValidationError{wrong.what()};
  }
  return made;
}

std::string verdict_on(const limit& each, double found) {
  return fmt::format("{} is {}, {} limit of {}", each.what->name, value_text(each.what->in, found),
                     each.is_kept_by(found)        ? "within the"
                     : each.side == bound::at_most ? "above the"
                                                   : "below the",
                     value_text(each.what->in, each.value));
}

constexpr const char* span_level_text = "at span level (FILCH_TRACE=out.filch:span)";

/// Refuses what would be measured of a run that cannot tell it.
void require_sense(const std::vector<limit>& limits, const std::string& file, const event::recording& recorded,
                   const std::optional<analysis>& watched) {
  for (const limit& each : limits) {
    if (each.what->runs == told_of::watched && !watched)
      throw bad_recording{fmt::format("{}: '{}' is measured only {}", file, each.what->name, span_level_text)};
    if (each.what->runs == told_of::parallel && recorded.analysed) {
      throw bad_recording{
          fmt::format("{}: it ran serially, to be watched, so '{}' says nothing of it; check a run at another level, with "
                      "this one as --alone",
                      file, each.what->name)};
    }
  }
}

/// The same work at span level, where it is named; else nothing.
event::recording load_alone(const std::string& file) {
  if (file.empty()) return {};
  event::recording found = load_recording(file);
  if (!found.analysed) throw bad_recording{fmt::format("{}: --alone wants the same work {}", file, span_level_text)};
  return found;
}

int check(const check_request& request) {
  const std::vector<limit> limits = limits_of(request);
  const event::recording recorded = load_recording(request.file);
  const event::recording alone = load_alone(request.alone);
  const std::optional<analysis>& watched = alone.analysed ? alone.analysed : recorded.analysed;
  require_sense(limits, request.file, recorded, watched);
  const span::observation seen = span::observe(recorded, chosen_pool(recorded, request.pool));
  bool all_kept = true;
  nlohmann::json results = nlohmann::json::array();
  for (const limit& each : limits) {
    const double found = each.what->read({seen, watched}, each.what->index);
    const bool is_kept = each.is_kept_by(found);
    all_kept = all_kept && is_kept;
    results.push_back({{"name", each.what->name},
                       {"found", found},
                       {each.side == bound::at_most ? "max" : "min", each.value},
                       {"kept", is_kept}});
    if (!request.as_json)
      fmt::print("{} {}\n", is_kept ? painted(stdout, tone::good, "ok    ") : painted(stdout, tone::bad, "FAILED"),
                 verdict_on(each, found));
  }
  if (request.as_json) fmt::print("{}\n", nlohmann::json{{"kept", all_kept}, {"limits", results}}.dump(2));
  return all_kept ? all_well : went_wrong;
}

std::string footer() {
  std::string text = "Measured:\n";
  for (const measure& each : measures())
    text += fmt::format("  {:<13}{}{}\n", each.name, each.meaning, each.runs == told_of::watched ? " (span level)" : "");
  return text +
         "Shares are of slots times time. At span level a run is serial, so it has no\n"
         "share of idleness; a run at another level has its span and parallelism from\n"
         "--alone. Examples:\n"
         "  filch check run.filch --max starved=10%\n"
         "  filch check one.filch --min parallelism=16\n"
         "  filch check run.filch --alone one.filch --max starved=10% --min parallelism=16";
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Fail when a recorded run does not keep given limits");
  auto request = std::make_shared<check_request>();
  command->add_option("FILE", request->file, "The recording")->required();
  command->add_option("--alone", request->alone, "The same work at span level: its work and span")->type_name("FILE");
  command->add_option("--max", request->most, "At most so much; may be given again")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("--min", request->least, "At least so much; may be given again")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  add_pool_option(*command, request->pool);
  command->add_flag("--json", request->as_json, "Print JSON and nothing else");
  command->footer(footer());
  command->callback([request, &exit_code] { exit_code = check(*request); });
}

}  // namespace filch::cli
