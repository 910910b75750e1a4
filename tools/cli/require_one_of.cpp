#include <fmt/format.h>
#include <tools/cli/commands.hpp>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace filch::cli {

namespace {

/// How many letters must be added, dropped or replaced to turn one word into the other. Source:
/// Wagner and Fischer, JACM 1974.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] != to[j]);
      diagonal = std::exchange(row[j + 1], std::min(row[j], row[j + 1]) + 1);
      row[j + 1] = std::min(row[j + 1], replaced);
    }
  }
  return row.back();
}

std::string what_there_is(const std::vector<std::string>& names, const std::string& noun,
                          const std::string& given) {
  const auto distance = [&](const std::string& name) { return edit_distance(given, name); };
  const auto nearest = std::ranges::min_element(names, {}, distance);
  if (distance(*nearest) <= 2 && !given.empty()) return fmt::format("did you mean '{}'?", *nearest);
  return fmt::format("the {}s are\n  {}", noun, fmt::join(names, ", "));
}

/// Lets the help speak of workloads if they are workloads, instead of subcommands.
void name_commands(CLI::App& parent, std::string noun) {
  auto words = std::make_shared<CLI::Formatter>();
  words->column_width(parent.get_formatter()->get_column_width());
  std::string placeholder = noun;
  std::ranges::transform(placeholder, placeholder.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  words->label("SUBCOMMAND", placeholder);
  parent.formatter(words);
  noun.front() = placeholder.front();
  for (CLI::App* command : parent.get_subcommands({})) command->group(noun + "s");
}

}  // namespace

void require_one_of(CLI::App& parent, const std::string& noun) {
  // Left to itself, the parser would say of a misspelt command that an argument was not expected.
  parent.allow_extras();
  name_commands(parent, noun);
  parent.callback([&parent, noun] {
    if (!parent.get_subcommands().empty()) return;
    std::vector<std::string> names;
    for (const CLI::App* command : parent.get_subcommands({})) names.push_back(command->get_name());
    const std::vector<std::string> extras = parent.remaining();
    const std::string given = extras.empty() ? "" : extras.front();
    const std::string problem =
        given.empty() ? "which " + noun + "?" : "no " + noun + " called '" + given + "':";
    throw CLI::ValidationError(problem + " " + what_there_is(names, noun, given));
  });
}

}  // namespace filch::cli
