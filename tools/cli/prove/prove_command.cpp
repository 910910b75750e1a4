#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/cli/commands.hpp>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace filch::cli {

namespace {

using prove::claim;
using prove::proof;

struct prove_request {
  std::vector<std::string> names;  ///< Empty: all.
  bool as_json = false;

  bool wants(const claim& each) const {
    return names.empty() || std::ranges::find(names, each.name) != names.end();
  }
};

proof try_out(const claim& tried) {
  try {
    return tried.try_it();
  } catch (const std::exception& failure) {
    return {false, fmt::format("It could not be tried: {}.", failure.what())};
  }
}

void print(const claim& tried, const proof& found) {
  if (is_terminal(stdout)) fmt::print("\r\033[K");
  fmt::print("{}  {}\n",
             painted(stdout, found.holds ? tone::good : tone::bad, found.holds ? "gone " : "STILL"),
             painted(stdout, tone::strong, tried.pain));
  for (const std::string& line : wrapped(found.shown, page_columns(stdout) - 8))
    fmt::print("       {}\n", line);
  fmt::print("       {}\n\n",
             painted(stdout, tone::faint, fmt::format("at length: {}", tried.at_length)));
  std::fflush(stdout);
}

void announce(const claim& next) {
  if (!is_terminal(stdout)) return;
  fmt::print("...    {}", painted(stdout, tone::faint, next.pain));
  std::fflush(stdout);
}

void print_end(std::size_t tried, std::size_t failed, bool by_the_clock) {
  if (failed == 0) {
    fmt::print("{}\n", tried == 1 ? "It holds." : fmt::format("All {} hold.", tried));
    return;
  }
  fmt::print("{} of {} not shown.{}\n", failed, tried,
             by_the_clock
                 ? " What goes by the clock wants a machine on which nothing else runs: try again."
                 : "");
}

int run(const prove_request& request) {
  nlohmann::json json = nlohmann::json::array();
  std::size_t tried = 0, failed = 0;
  bool by_the_clock = false;
  for (const claim& each : prove::all_claims()) {
    if (!request.wants(each)) continue;
    if (!request.as_json) announce(each);
    const proof found = try_out(each);
    ++tried;
    failed += !found.holds;
    by_the_clock = by_the_clock || (!found.holds && each.by_the_clock);
    if (!request.as_json) print(each, found);
    json.push_back({{"name", each.name},
                    {"pain", each.pain},
                    {"holds", found.holds},
                    {"shown", found.shown},
                    {"at_length", each.at_length},
                    {"by_the_clock", each.by_the_clock}});
  }
  if (request.as_json) {
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    print_end(tried, failed, by_the_clock);
  }
  return failed == 0 ? all_well : went_wrong;
}

/// In lines that a terminal of 80 columns has room for.
std::string wrapped(const std::vector<std::string>& words) {
  std::string text;
  std::size_t column = std::string_view{"Claims: "}.size();
  for (const std::string& each : words) {
    if (!text.empty()) text += column + each.size() > 76 ? ",\n  " : ", ";
    column = text.ends_with("\n  ") ? 2 : column + 2;
    text += each;
    column += each.size();
  }
  return text;
}

}  // namespace

void add_prove_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("prove", "Try what hurts with other runtimes, here and now");
  auto request = std::make_shared<prove_request>();
  std::vector<std::string> known;
  for (const claim& each : prove::all_claims()) known.emplace_back(each.name);
  command->add_option("NAME", request->names, "Only these, of the claims below")
      ->check(CLI::IsMember(known).description(""));
  command->add_flag("--json", request->as_json, "Print JSON and nothing else");
  command->footer("Claims: " + wrapped(known) +
                  "\nExit status: 0 all was shown, 1 something was not, 2 misuse.");
  command->callback([request, &exit_code] { exit_code = run(*request); });
}

}  // namespace filch::cli
