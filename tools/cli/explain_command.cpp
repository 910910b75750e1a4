#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/cli/commands.hpp>
#include <tools/cli/explain/json.hpp>
#include <tools/cli/explain/player.hpp>
#include <tools/cli/page.hpp>
#include <tools/cli/report.hpp>
#include <tools/viewer/pages.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace filch::cli {

namespace {

using explain::position;
using explain::story;

constexpr const char* usual_scheduler = "work_stealing";

struct explain_request {
  std::string scene = "skewed", scheduler = usual_scheduler, page_file;
  std::uint64_t seed = 1;
  std::optional<std::size_t> step;
  bool as_json = false;
};

/// Where `name` stands in `names`; otherwise complains in the name of `option`.
std::size_t position_of(const std::string& name, const std::vector<std::string>& names,
                        const char* option) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw CLI::ValidationError(
        fmt::format("{}: {} not in {{{}}}", option, name, fmt::join(names, ",")));
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::string> scene_names(const story& all) {
  std::vector<std::string> names;
  for (const auto& each : all.scenes) names.emplace_back(each.id);
  for (const auto& each : all.duels) names.emplace_back(each.id);
  return names;
}

position start_of(const story& all, const explain_request& request) {
  position at{.scene = position_of(request.scene, scene_names(all), "--scene")};
  if (!is_duel(all, at)) {
    std::vector<std::string> names;
    for (const auto& each : all.scenes[at.scene].runs) names.emplace_back(each.scheduler->id);
    at.run = position_of(request.scheduler, names, "--scheduler");
  } else if (request.scheduler != usual_scheduler) {
    throw CLI::ValidationError{"--scheduler: nobody schedules inside the deque"};
  }
  at.step = request.step.value_or(0);
  if (at.step > step_count(all, at)) {
    throw CLI::ValidationError(
        fmt::format("--step: {} is behind the last step, {}", at.step, step_count(all, at)));
  }
  return at;
}

void print_frame(const story& all, const position& at) {
  for (const std::string& line : frame_of(all, at, columns(stdout), explain::painted_for_terminal))
    fmt::print("{}\n", line);
}

int run_explanation(const explain_request& request) {
  const story all = explain::tell(request.seed);
  const position at = start_of(all, request);
  if (request.as_json) {
    fmt::print("{}\n", as_json(all).dump());
  } else if (!request.page_file.empty()) {
    write_page(request.page_file, with_data(viewer::explain_page(), as_json(all).dump()));
  } else if (request.step) {
    print_frame(all, at);
  } else if (is_terminal(stdout) && is_terminal(stdin)) {
    explain::play_on_terminal(all, at);
  } else {
    fmt::print("{}", transcript_of(all, at));
  }
  return all_well;
}

}  // namespace

void add_explain_command(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<explain_request>();
  CLI::App* command = app.add_subcommand("explain", "Watch work stealing, step by step");
  CLI::Option* const html = command
                                ->add_option("--html", request->page_file,
                                             "Write the interactive page, one file for a browser")
                                ->type_name("FILE");
  CLI::Option* const scene =
      command->add_option("--scene", request->scene, "What is shown, see below")
          ->capture_default_str();
  CLI::Option* const scheduler =
      command->add_option("--scheduler", request->scheduler, "The rule of the schedule, see below")
          ->capture_default_str();
  add_number(*command, "--seed", request->seed, "Decides what chance decides", 0,
             ~std::uint64_t{0});
  CLI::Option* const step =
      command->add_option("--step", request->step, "Print the picture after N steps and leave")
          ->type_name("N")
          ->check(CLI::NonNegativeNumber);
  CLI::Option* const json =
      command->add_flag("--json", request->as_json, "Print all scenes as JSON and nothing else");
  json->excludes(html);
  // The page and JSON have all of them
  for (CLI::Option* const of_one : {scene, scheduler, step}) {
    html->excludes(of_one);
    json->excludes(of_one);
  }
  command->footer(
      "Scenes:     balanced, skewed, loop, fork_join; and inside the deque: ordinary,\n"
      "            owner_wins, thief_wins, no_claim, no_release, no_acquire, no_order\n"
      "Schedulers: static_split, central_queue, work_sharing, work_stealing, and for\n"
      "            fork_join continuation_stealing\n"
      "\nOn a terminal it plays: space, arrows, q. Elsewhere it prints the steps.\n"
      "\nExamples:\n"
      "  filch explain --html explain.html\n"
      "  filch explain --scene no_claim     how an item is taken twice");
  command->callback([request, &exit_code] { exit_code = run_explanation(*request); });
}

}  // namespace filch::cli
