#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/cli/analysis_report.hpp>
#include <tools/cli/page.hpp>
#include <tools/cli/recordings/examine.hpp>
#include <tools/cli/recordings/load.hpp>
#include <tools/cli/recordings/page/json.hpp>
#include <tools/cli/report.hpp>
#include <tools/viewer/pages.hpp>

namespace filch::cli {

namespace {

// A watched run is serial, whatever its pool has.
void require_one_worker(const examination& made, const std::string& file) {
  const std::uint32_t slots = made.seen_alone->spent.slot_count;
  if (made.watched_alone || slots == 1) return;
  throw bad_recording{
      fmt::format("{}: has {}; --alone wants a run with FILCH_WORKERS=1, or one at span level",
                  file, count_text(slots, "slots"))};
}

/// A word as a shell takes it.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return word;
  std::string made = "'";
  for (const char each : word) made += each == '\'' ? std::string{"'\\''"} : std::string{each};
  return made + "'";
}

std::vector<std::vector<std::string>> commands_for_lone_run(const event::recording& recorded,
                                                            const std::string& file) {
  const std::string alone = quoted(file + ".alone");
  std::vector<std::string> run{"FILCH_WORKERS=1", "FILCH_TRACE=" + alone};
  for (const std::string& each : recorded.arguments) run.push_back(quoted(each));
  if (recorded.arguments.empty()) run.push_back(quoted(recorded.program));
  return {run, {"filch", "report", quoted(file), "--alone", alone}};
}

}  // namespace

CLI::Option* add_recording_options(CLI::App& command, recording_choice& choice) {
  CLI::Option* file = command.add_option("FILE", choice.file, "The recording");
  command
      .add_option("--alone", choice.on_one_worker, "The same work on one worker, to compare with")
      ->type_name("FILE");
  command.add_option("--sweep", choice.sweep, "Measured speed-ups, from `filch sweep --json`")
      ->type_name("FILE");
  add_pool_option(command, choice.pool);
  return file;
}

examination examine(const recording_choice& choice) {
  examination made;
  made.recorded = load_recording(choice.file);
  made.seen = span::observe(made.recorded, chosen_pool(made.recorded, choice.pool));
  if (!choice.on_one_worker.empty()) {
    event::recording alone = load_recording(choice.on_one_worker);
    made.seen_alone = span::observe(alone, span::busiest_pool(alone));
    made.watched_alone = std::move(alone.analyzed);
    require_one_worker(made, choice.on_one_worker);
  }
  if (!choice.sweep.empty()) made.sweep = load_sweep(choice.sweep);
  made.judged = span::judge(made.recorded, made.seen, made.alone());
  if (made.judged.asks_for_lone_run)
    made.commands = commands_for_lone_run(made.recorded, choice.file);
  if (made.recorded.analyzed && made.judged.findings.empty())
    made.judged.sentence = verdict(*made.recorded.analyzed, made.seen.spent.slot_count) +
                           " It ran serially, to be watched.";
  return made;
}

std::string page_of(const examination& made) {
  nlohmann::json data = page_json(made.recorded, made.seen, made.judged, made.alone());
  data["sweep"] = sweep_json(made.sweep, made.work_and_span());
  return with_data(viewer::report_page(),
                   data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace filch::cli
