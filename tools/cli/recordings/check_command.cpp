// `filch check`: a recording against limits, for scripts.
#include <fmt/format.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/recordings/limits.hpp>
#include <tools/cli/recordings/load.hpp>
#include <tools/cli/recordings/pool_option.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

namespace filch::cli {

namespace {

struct check_request {
  std::string file, alone;
  std::vector<std::string> most, least;
  int pool = busiest;
  bool as_json = false;
};

/// Lost time would keep every limit, so hardly any may be lost unless a given limit says how much.
/// None is needed if all limits are on what watching the run has found.
std::optional<limit> limit_on_losses(const std::vector<limit>& given) {
  constexpr double most_lost = 0.05;
  const auto names = [](std::string_view name) {
    return [name](const limit& each) {
      return each.side == bound::at_most && each.what->name == name;
    };
  };
  const auto is_on_the_watched = [](const limit& each) {
    return each.what->runs == told_of::watched;
  };
  const bool is_said =
      std::ranges::any_of(given, names("unknown")) || std::ranges::any_of(given, names("lost"));
  if (is_said || std::ranges::all_of(given, is_on_the_watched)) return std::nullopt;
  return limit{.what = &*std::ranges::find(measures(), "unknown", &measure::name),
               .side = bound::at_most,
               .value = most_lost};
}

std::vector<limit> limits_of(const check_request& request) {
  if (request.most.empty() && request.least.empty())
    throw CLI::ValidationError{"no limit given: use --max or --min"};
  std::vector<limit> made;
  try {
    for (const std::string& text : request.most) made.push_back(parse_limit(text, bound::at_most));
    for (const std::string& text : request.least)
      made.push_back(parse_limit(text, bound::at_least));
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
void require_sense(const std::vector<limit>& limits, const std::string& file,
                   const event::recording& recorded,
                   const std::optional<analysis::result>& watched) {
  for (const limit& each : limits) {
    if (each.what->runs == told_of::watched && !watched)
      throw bad_recording{
          fmt::format("{}: '{}' is measured only {}", file, each.what->name, span_level_text)};
    if (each.what->runs == told_of::parallel && recorded.analyzed) {
      throw bad_recording{
          fmt::format("{}: it ran serially, to be watched, so '{}' says nothing of it; check a run "
                      "at another level, with "
                      "this one as --alone",
                      file, each.what->name)};
    }
  }
}

/// The same work at span level, if it is named; else nothing.
event::recording load_alone(const std::string& file) {
  if (file.empty()) return {};
  event::recording found = load_recording(file);
  if (!found.analyzed)
    throw bad_recording{fmt::format("{}: --alone wants the same work {}", file, span_level_text)};
  return found;
}

nlohmann::json result_of(const limit& each, double found) {
  return {{"name", each.what->name},
          {"found", found},
          {each.side == bound::at_most ? "max" : "min", each.value},
          {"kept", each.is_kept_by(found)}};
}

void print_result(const limit& each, double found) {
  fmt::print("{} {}\n",
             each.is_kept_by(found) ? painted(stdout, tone::good, "ok    ")
                                    : painted(stdout, tone::bad, "FAILED"),
             verdict_on(each, found));
}

int check(const check_request& request) {
  const std::vector<limit> limits = limits_of(request);
  const event::recording recorded = load_recording(request.file);
  const event::recording alone = load_alone(request.alone);
  const std::optional<analysis::result>& watched =
      alone.analyzed ? alone.analyzed : recorded.analyzed;
  require_sense(limits, request.file, recorded, watched);
  const span::observation seen = span::observe(recorded, chosen_pool(recorded, request.pool));
  const auto found_of = [&](const limit& each) {
    return each.what->read({seen, watched}, each.what->index);
  };
  bool all_kept = true;
  nlohmann::json results = nlohmann::json::array();
  const auto tell = [&](const limit& each) {
    all_kept = all_kept && each.is_kept_by(found_of(each));
    results.push_back(result_of(each, found_of(each)));
    if (!request.as_json) print_result(each, found_of(each));
  };
  std::ranges::for_each(limits, tell);
  if (const auto on_losses = limit_on_losses(limits);
      on_losses && !on_losses->is_kept_by(found_of(*on_losses))) {
    tell(*on_losses);
    if (!request.as_json)
      fmt::print(
          "       What is lost keeps every limit. Record with more room, FILCH_TRACE_MAX_SIZE=1G, "
          "or say how much may be: "
          "--max unknown=20%\n");
  }
  if (request.as_json)
    fmt::print("{}\n", nlohmann::json{{"kept", all_kept}, {"limits", results}}.dump(2));
  return all_kept ? all_well : went_wrong;
}

std::string footer() {
  std::string text = "Measured:\n";
  for (const measure& each : measures())
    text += fmt::format("  {:<13}{}{}\n", each.name, each.meaning,
                        each.runs == told_of::watched ? " (span level)" : "");
  return text +
         "Where more than 5% is unknown, the check fails unless --max unknown or lost\n"
         "says that so much may be.\n"
         "Shares are of slots times time. At span level a run is serial, so it has no\n"
         "share of idleness; a run at another level has its span and parallelism from\n"
         "--alone. Examples:\n"
         "  filch check run.filch --max starved=10%\n"
         "  filch check one.filch --min parallelism=16\n"
         "  filch check run.filch --alone one.filch --max starved=10% --min parallelism=16";
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("check", "Fail when a recorded run does not keep given limits");
  auto request = std::make_shared<check_request>();
  command->add_option("FILE", request->file, "The recording")->required();
  command->add_option("--alone", request->alone, "The same work at span level: its work and span")
      ->type_name("FILE");
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
