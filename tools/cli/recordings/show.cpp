#include <filch/span/text.hpp>
#include <fmt/format.h>
#include <tools/cli/recordings/show.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <numeric>

namespace filch::cli {

using nlohmann::json;

std::string time_text(std::int64_t ns) { return seconds_text(static_cast<double>(ns) * 1e-9); }

std::string_view colour_of(span::use what) noexcept {
  // Blue to yellow for what the slots did, dark to light, so that readers who see no red or green
  // can tell it apart.
  static constexpr std::array<std::string_view, span::use_count> codes = {
      "97;44", "97;44", "30;46", "30;106", "30;43", "97;45", "97;41", "30;103", "30;47", "90"};
  return codes[static_cast<std::size_t>(what)];
}

// The largest remainders get the cells that rounding down leaves over.
std::vector<std::size_t> apportion(std::vector<double> shares, std::size_t width) {
  std::vector<std::size_t> cells;
  for (double& share : shares) {
    const double exact = share * static_cast<double>(width);
    cells.push_back(std::min(static_cast<std::size_t>(exact), width));
    share = exact - static_cast<double>(cells.back());
  }
  while (!cells.empty() && std::accumulate(cells.begin(), cells.end(), std::size_t{0}) < width) {
    const auto largest = std::ranges::max_element(shares);
    ++cells[static_cast<std::size_t>(largest - shares.begin())];
    *largest = -1;
  }
  return cells;
}

std::array<std::size_t, span::use_count> apportion(const span::budget& spent, std::size_t width) {
  std::array<std::size_t, span::use_count> cells{};
  if (spent.total_ns() == 0) return cells;
  std::vector<double> shares;
  for (const span::use_description& use : span::uses) shares.push_back(spent.share(use.what));
  std::ranges::copy(apportion(std::move(shares), width), cells.begin());
  return cells;
}

std::string budget_bar(std::FILE* stream, const span::budget& spent, std::size_t width) {
  std::string bar;
  const auto cells = apportion(spent, width);
  for (const span::use_description& use : span::uses) {
    const std::size_t count = cells[static_cast<std::size_t>(use.what)];
    if (count > 0) bar += coloured(stream, colour_of(use.what), std::string(count, use.letter));
  }
  return bar;
}

std::vector<std::string> budget_legend(const span::budget& spent, std::size_t columns) {
  std::vector<std::string> lines{""};
  for (const span::use_description& use : span::uses) {
    if (spent[use.what] == 0) continue;
    const std::string item =
        fmt::format("{} {} {}{}", use.letter, use.name, span::percent_text(spent.share(use.what)),
                    use.what == span::use::forking ? " (estimated)" : "");
    if (!lines.back().empty() && lines.back().size() + 3 + item.size() > columns)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : "   ") + item;
  }
  return lines;
}

}  // namespace filch::cli
