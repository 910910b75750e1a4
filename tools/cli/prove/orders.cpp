// What the program beside this one says of the deque (deque_trial.cpp).
#include <filch/base/scratch_folder.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/recordings/child.hpp>
#include <tools/cli/report.hpp>

#include <filesystem>

namespace filch::cli::prove {

namespace {

std::filesystem::path trial_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "filch-deque-trial";
}

std::string text_of_weakened(const nlohmann::json& weakened) {
  std::string text;
  for (const auto& each : weakened) {
    text += fmt::format("{}{} breaks in execution {}", text.empty() ? "" : ", ",
                        each["edge"].get<std::string>(),
                        count_text(each["executions"].get<std::uint64_t>()));
  }
  return text;
}

}  // namespace

proof orders_are_checked() {
  const std::filesystem::path program = trial_program();
  if (!exists(program))
    return {false, program.string() +
                       " is not there: it comes with the program, but for builds with sanitizers."};
  const base::scratch_folder folder;
  const child_end end = run_child({program.string()}, {}, folder / "said");
  if (end.exit_code != 0)
    return {false, fmt::format("{} ended with {}.", program.string(), end.exit_code)};
  std::ifstream said{folder / "said"};
  const nlohmann::json found = nlohmann::json::parse(said);
  const auto is_broken = [](const nlohmann::json& each) { return each["broken"].get<bool>(); };
  const bool all_broken = std::ranges::all_of(found["weakened"], is_broken);
  return {found["holds"].get<bool>() && all_broken,
          fmt::format("The deque that ships, in each of {} that the C++20 memory model allows of "
                      "three threads: no job is lost or run twice. "
                      "With one order weakened: {}.",
                      count_text(found["executions"].get<std::uint64_t>(), "executions"),
                      text_of_weakened(found["weakened"]))};
}

}  // namespace filch::cli::prove
