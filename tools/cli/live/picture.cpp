// How `filch top` looks.
#include <fmt/format.h>
#include <tools/cli/live/load.hpp>
#include <tools/cli/recordings/show.hpp>
#include <tools/cli/report.hpp>

#include <cmath>

namespace filch::cli {

namespace {

constexpr std::size_t columns_beside_bar = 48;
constexpr std::size_t least_bar = 8;
constexpr std::size_t most_sentence_lines = 2;

std::string bar_of(const load& of, std::size_t width, std::FILE* stream) {
  std::vector<double> shares{of.shares.begin(), of.shares.end()};
  double away = 1;
  for (const double share : shares) away -= share;
  shares.push_back(std::max(away, 0.0));
  const std::vector<std::size_t> cells = apportion(shares, width);
  std::string bar;
  for (std::size_t i = 0; i < shown_states.size(); ++i) {
    const span::use_description& use = span::uses[static_cast<std::size_t>(shown_states[i].use)];
    if (cells[i] > 0)
      bar += coloured(stream, colour_of(use.what), std::string(cells[i], use.letter));
  }
  return bar + std::string(cells.back(), ' ');
}

std::string per_second(double rate) {
  return count_text(static_cast<std::uint64_t>(std::llround(rate)));
}

std::string row_of(std::string_view who, std::string_view state, const load& of,
                   std::uint64_t ready_jobs, std::size_t bar_width, std::FILE* stream) {
  return fmt::format("  {:<7} {:<9}  {}  {:>8} {:>9} {:>6}", who, state,
                     bar_of(of, bar_width, stream), per_second(of.jobs_per_second),
                     per_second(of.steals_per_second), count_text(ready_jobs));
}

std::string heading_of(const process_load& shown, std::size_t width, std::FILE* stream) {
  const std::string facts =
      fmt::format("{}, {}, last {}", count_text(shown.slot_count, "slots"),
                  count_text(shown.workers.size(), "workers"), seconds_text(shown.seconds));
  std::string who =
      fmt::format("{} {}", shown.process_id, shown.program.substr(shown.program.rfind('/') + 1));
  const std::size_t room = width > facts.size() + 2 ? width - facts.size() - 2 : 0;
  who.resize(std::min(who.size(), room));
  return painted(stream, tone::strong, who) + std::string(room - who.size() + 2, ' ') + facts;
}

std::string legend() {
  std::string text;
  for (const shown_state& each : shown_states)
    text += fmt::format("  {} {}", span::uses[static_cast<std::size_t>(each.use)].letter,
                        event::name_of(each.what));
  return text;
}

}  // namespace

std::vector<std::string> picture_of(const process_load& shown, std::size_t width,
                                    std::size_t height, std::FILE* stream) {
  const std::size_t bar_width =
      std::max(width, columns_beside_bar + least_bar) - columns_beside_bar;
  std::vector<std::string> lines{heading_of(shown, width, stream)};
  std::vector<std::string> sentence = wrapped(shown.judged.sentence, width);
  sentence.resize(most_sentence_lines);  // always, so that what follows stays where it is
  for (const std::string& line : sentence) lines.push_back(painted(stream, tone::strong, line));
  lines.push_back(painted(stream, tone::faint,
                          fmt::format("  {:<7} {:<9}  {:<{}}  {:>8} {:>9} {:>6}", "worker", "state",
                                      "time", bar_width, "jobs/s", "steals/s", "ready")));
  // The total, the legend, and the last line of the screen
  const std::size_t taken = lines.size() + 3;
  const std::size_t room = height > taken ? height - taken : 1;
  const bool is_cut = shown.workers.size() > room;
  const std::size_t rows = is_cut ? room - 1 : shown.workers.size();
  for (std::size_t i = 0; i < rows; ++i) {
    const worker_load& each = shown.workers[i];
    lines.push_back(row_of(fmt::format("{}.{}", each.who.pool, each.who.index), each.state(),
                           each.since, each.ready_jobs, bar_width, stream));
  }
  if (is_cut) lines.push_back(fmt::format("  and {} more", shown.workers.size() - rows));
  lines.push_back(row_of("all", "", shown.total, shown.ready_jobs, bar_width, stream));
  lines.push_back(painted(stream, tone::faint, legend()));
  return lines;
}

}  // namespace filch::cli
