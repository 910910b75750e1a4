#include <fmt/format.h>
#include <tools/cli/report.hpp>
#include <tools/scale/show.hpp>

#include <algorithm>
#include <filesystem>

namespace filch::scaling {

using cli::painted;
using cli::tone;
using nlohmann::json;
using testing::hot_line;
using testing::hot_place;

namespace {

std::string time_text(std::uint64_t ns) {
  return cli::seconds_text(static_cast<double>(ns) * 1e-9);
}
std::string share_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

double efficiency(const std::vector<point>& all, const point& of) {
  return speed_up(all, of) / of.asked.workers;
}

void print_points(const std::vector<point>& all, const std::string& name) {
  using enum cli::align;
  cli::table rows{{{"workers", right},
                   {"time", right},
                   {"speed-up", right},
                   {"eff.", right},
                   {"CPU", right},
                   {"spent", right},
                   {"waited", right},
                   {"paused", right},
                   {"steals won", right},
                   {"tried", right},
                   {"parks", right},
                   {"wakes", right}}};
  for (const point& each : all) {
    if (each.asked.what->name != name) continue;
    const testing::scale_point& p = each.result;
    if (!each.failure.empty()) {
      rows.add_row({std::to_string(each.asked.workers), {each.failure, tone::bad}});
      continue;
    }
    rows.add_row(
        {std::to_string(each.asked.workers), time_text(each.timed_ns),
         fmt::format("{:.2f}", speed_up(all, each)), fmt::format("{:.3f}", efficiency(all, each)),
         time_text(p.cpu_ns), share_text(p.spent_ns, p.cpu_ns), share_text(p.waited_ns, p.cpu_ns),
         share_text(p.paused_ns, p.cpu_ns), cli::count_text(p.steals_won),
         cli::count_text(p.steals_tried), cli::count_text(p.parks), cli::count_text(p.wakes)});
  }
  rows.print(stdout);
}

std::string place_text(const hot_place& of) {
  return fmt::format("{} ({}:{}) {} x {}", of.function, path_in_sources(of.file), of.line, of.what,
                     cli::count_text(of.count));
}

void print_lines(const point& of, sources& from, std::size_t count) {
  if (of.result.hottest.empty() || count == 0) return;
  fmt::print("\n  {}\n", painted(stdout, tone::faint,
                                 fmt::format("hottest lines of memory with {}, by the share of all "
                                             "cores' time that waited for them",
                                             cli::count_text(of.asked.workers, "workers"))));
  cli::table rows{{{"", cli::align::right}, {""}, {""}}};
  for (std::size_t i = 0; i < std::min(count, of.result.hottest.size()); ++i) {
    const hot_line& line = of.result.hottest[i];
    constexpr std::size_t most_places = 3;
    for (std::size_t k = 0; k < std::min(most_places, line.places.size()); ++k) {
      const bool first = k == 0;
      rows.add_row({first ? fmt::format("{:.2f} %", 100 * line.share) : std::string{},
                    {first ? words_of(line, from) : std::string{}, tone::strong},
                    {place_text(line.places[k]), tone::faint}});
    }
  }
  rows.print(stdout);
}

}  // namespace

double speed_up(const std::vector<point>& all, const point& of) {
  const auto first = std::ranges::find_if(all, [&](const point& each) {
    return each.asked.what == of.asked.what && each.failure.empty();
  });
  if (first == all.end() || of.timed_ns == 0) return 0;
  return static_cast<double>(first->timed_ns) * first->asked.workers /
         static_cast<double>(of.timed_ns);
}

std::string words_of(const hot_line& line, sources& from) {
  std::vector<std::string> words;
  for (const hot_place& each : line.places) {
    std::string word = from.word_at(each);
    if (!word.empty()) word = std::filesystem::path{each.file}.stem().string() + "::" + word;
    if (!word.empty() && std::ranges::find(words, word) == words.end())
      words.push_back(std::move(word));
  }
  std::ranges::sort(words);
  constexpr std::size_t most = 3;
  if (words.size() > most) {
    words.resize(most);
    words.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string about(const simulated_machine& of) {
  std::string error = "How wrong it is is not known.";
  if (of.error) {
    error = fmt::format(
        "Beside real runs with 1 and 2 workers on {} it was wrong by {:.0f} % in "
        "the median, {:.0f} % at most.",
        of.error->machine == of.on.name ? "this machine" : of.error->machine,
        100 * of.error->median, 100 * of.error->largest);
  }
  return fmt::format("This is a simulation of {}, {}: {}. {}", of.on.name,
                     cli::count_text(of.on.cores(), "cores"),
                     of.on.note.empty() ? "no source is given for its prices" : of.on.note, error);
}

void print(const std::vector<point>& all, const simulated_machine& of, sources& from,
           std::size_t lines) {
  for (const std::string& each : cli::wrapped(about(of), cli::page_columns(stdout)))
    fmt::print("{}\n", each);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const point_request& asked = all[i].asked;
    if (i + 1 < all.size() && all[i + 1].asked.what == asked.what) continue;
    fmt::print("\n{}  {}\n", painted(stdout, tone::strong, asked.what->name),
               painted(stdout, tone::faint,
                       fmt::format("{}; {} {}", asked.what->purpose, cli::count_text(asked.size),
                                   asked.what->size_is)));
    print_points(all, asked.what->name);
    if (all[i].failure.empty()) print_lines(all[i], from, lines);
  }
}

json everything(const std::vector<point>& all, const simulated_machine& of, sources& from) {
  json points = json::array();
  for (const point& each : all) {
    json made = to_json(each);
    if (each.failure.empty()) {
      made["speed_up"] = speed_up(all, each);
      made["efficiency"] = efficiency(all, each);
      for (std::size_t i = 0; i < each.result.hottest.size(); ++i) {
        json& line = made["hottest"][i];
        line["words"] = words_of(each.result.hottest[i], from);
        for (std::size_t k = 0; k < each.result.hottest[i].places.size(); ++k) {
          const hot_place& place = each.result.hottest[i].places[k];
          line["places"][k]["file"] = path_in_sources(place.file);
          line["places"][k]["word"] = from.word_at(place);
        }
      }
    }
    points.push_back(std::move(made));
  }
  return {{"format", "filch-scale"},
          {"version", 1},
          {"simulation", about(of)},
          {"machine", {{"name", of.on.name}, {"note", of.on.note}, {"cores", of.on.cores()}}},
          {"points", points}};
}

}  // namespace filch::scaling
