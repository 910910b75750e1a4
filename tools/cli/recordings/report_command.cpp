// `filch report`: what a recording says, on one screen, or all of it on a page.
#include <filch/span/text.hpp>
#include <fmt/format.h>
#include <tools/cli/analysis_report.hpp>
#include <tools/cli/commands.hpp>
#include <tools/cli/page.hpp>
#include <tools/cli/recordings/examine.hpp>
#include <tools/cli/recordings/graphs_text.hpp>
#include <tools/cli/recordings/show.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace filch::cli {

namespace {

constexpr std::size_t sites_shown = 6, sites_shown_beside_graphs = 3;
constexpr std::size_t page_lines = 23;  // the prompt has the 24th

struct report_request {
  recording_choice choice;
  std::string page_file;
  bool as_json = false;
};

/// At most `width` columns of a text, of which there are two or more, and two dots if the rest
/// is missing.
std::string shortened(std::string text, std::size_t width) {
  if (text.size() > width) text.replace(width - 2, std::string::npos, "..");
  return text;
}

/// A text with a label in front.
struct fact {
  std::string_view label;
  std::string text;
};

/// What is shown, and how wide.
struct page {
  const event::recording& recorded;
  const span::observation& seen;
  const span::verdict& judged;
  std::string sweep = {};  ///< The sweep shown beside it, if any.
  std::vector<std::vector<std::string>> commands = {};  ///< As in `examination`.
  std::size_t width = page_columns(stdout);
  std::size_t lines = 0;         ///< Lines printed so far.
  std::vector<fact> facts = {};  ///< Printed at the end.

  void print(std::string_view line) {
    fmt::print("{}\n", line);
    ++lines;
  }
};

// A fact has a line, and further ones as long as the screen has any to spare.
void print_facts(page& p) {
  constexpr std::size_t label_width = 8;
  const std::size_t wanted = p.lines + p.facts.size(), room = p.width - 2 - label_width;
  std::size_t spare = std::max(page_lines, wanted) - wanted;
  for (const fact& each : p.facts) {
    std::vector<std::string> lines = wrapped(each.text, room);
    const std::size_t most = std::min(lines.size(), 1 + spare);
    if (lines.size() > most) {
      lines[most - 1] = shortened(lines[most - 1] + " " + lines[most], room);
      lines.resize(most);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string label = fmt::format("{:<{}}", i == 0 ? each.label : "", label_width);
      p.print(fmt::format("  {}{}", painted(stdout, tone::faint, label), lines[i]));
    }
    spare -= most - std::min<std::size_t>(most, 1);
  }
}

/// A command in lines that a shell takes as one, if it is longer than the page.
void print_command(page& p, const std::vector<std::string>& words) {
  constexpr std::size_t indent = 4, continued = 2;
  std::string line(indent, ' ');
  for (const std::string& each : words) {
    const bool is_first = line.size() == indent;
    if (!is_first && line.size() + 1 + each.size() + continued > p.width) {
      p.print(line + " \\");
      line.assign(indent + 2, ' ');
      line += each;
    } else {
      line += (is_first ? "" : " ") + each;
    }
  }
  p.print(line);
}

void print_commands(page& p) {
  if (p.commands.empty()) return;
  if (!p.judged.findings.empty())
    p.print("  Compare with a run on one worker, in which no job waits for another:");
  for (const auto& each : p.commands) print_command(p, each);
}

void print_verdict(page& p) {
  const span::budget& spent = p.seen.spent;
  const std::string pools =
      p.recorded.pools.size() == 1
          ? ""
          : fmt::format(", pool {} of {}", p.seen.pool, p.recorded.pools.size());
  const std::string facts = fmt::format(": {}, {}{}", time_text(p.recorded.length_ns),
                                        count_text(spent.slot_count, "slots"), pools);
  const std::string program =
      name_text(std::filesystem::path(p.recorded.program).filename().string());
  constexpr std::size_t some_of_its_name = 8;
  const std::size_t room = std::max(p.width, facts.size() + some_of_its_name) - facts.size();
  p.print(painted(stdout, tone::strong, shortened(program, room)) + facts);
  for (const std::string& line : wrapped(p.judged.sentence, p.width))
    p.print(painted(stdout, tone::strong, line));
  const std::string& advice =
      p.judged.findings.empty() ? p.judged.advice : p.judged.findings.front().advice;
  if (!advice.empty()) {
    for (const std::string& line : wrapped(advice, p.width - 2)) p.print("  " + line);
  }
  print_commands(p);
}

void print_budget(page& p) {
  p.print("");
  p.print("  " + budget_bar(stdout, p.seen.spent, p.width - 2));
  for (const std::string& line : budget_legend(p.seen.spent, p.width - 2))
    p.print("  " + painted(stdout, tone::faint, line));
}

void print_sites(page& p) {
  constexpr std::size_t figures_take = 44;
  const std::size_t name_width = p.width < figures_take + 10 ? 10 : p.width - figures_take;
  const auto total = static_cast<double>(std::max<std::int64_t>(p.seen.spent.total_ns(), 1));
  const auto share = [&](std::int64_t ns) {
    return span::percent_text(static_cast<double>(ns) / total);
  };
  table sites{{{"site"},
               {"jobs", align::right},
               {"stolen", align::right},
               {"work", align::right},
               {"idle", align::right},
               {"median", align::right}}};
  const std::size_t rows =
      std::min(p.recorded.graphs.empty() ? sites_shown : sites_shown_beside_graphs,
               p.seen.seen.sites.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const span::site_summary& s = p.seen.seen.sites[i];
    const std::string name = name_text(span::name_of(p.recorded, s.site));
    sites.add_row({shortened(name, name_width), count_text(s.jobs), count_text(s.stolen),
                   share(s.work_ns), share(s.attributed_idle_ns),
                   s.lasted.count() == 0
                       ? ""
                       : span::duration_text(static_cast<double>(s.lasted.median_ns()))});
  }
  p.print("");
  sites.print(stdout);
  p.lines += 1 + rows;
}

/// Of a watched run: what its code is like, instead of what its workers did for each other.
void print_analyzed(page& p, const analysis::result& found) {
  constexpr std::size_t figures_take = 53, words_take = 56, least_name = 10;
  const analysis_report all = recorded_analysis(found, p.seen.spent.slot_count);
  p.print("");
  cli::print_sites(stdout, all, std::max(p.width, figures_take + least_name) - figures_take);
  p.lines += 1 + std::min(sites_shown, found.sites.size());
  p.print("");
  p.facts.push_back({"span", work_and_span_text(found)});
  p.facts.push_back({"faster", speed_ups_text(found)});
  if (!found.sites.empty()) {
    const std::string what_if =
        what_if_text(all, std::max(p.width, words_take + least_name) - words_take);
    p.facts.push_back({"what if", fmt::format("{} on {}", what_if, count_text(all.workers))});
  }
  p.facts.push_back({"trust", cli::trust_text(found)});
}

std::string steal_text(const span::summary& s) {
  // A join steals back from the one thief that has its job, without probing; where records are
  // lost, that may be all that is known.
  const std::uint64_t won = s.count(event::kind::steal_won),
                      back = std::min(s.count(event::kind::stolen_back), won);
  std::string text = fmt::format("{} of {} probes won", count_text(won - back),
                                 count_text(s.count(event::kind::steal_tried)));
  if (back != 0) text += fmt::format(", {} more stolen back in joins", count_text(back));
  if (s.taking.count() != 0)
    text += fmt::format(", {} at the median",
                        span::duration_text(static_cast<double>(s.taking.median_ns())));
  const auto busiest_pair = std::ranges::max_element(s.matrix, {}, &span::steals::count);
  if (busiest_pair == s.matrix.end()) return text;
  return text + fmt::format("; most: {} from {}, {}", busiest_pair->thief, busiest_pair->victim,
                            count_text(busiest_pair->count));
}

std::string wake_text(const span::summary& s) {
  std::string text = count_text(s.waking.count(), "wakes");
  if (s.waking.count() != 0)
    text += fmt::format(", {} at the median",
                        span::duration_text(static_cast<double>(s.waking.median_ns())));
  return text + fmt::format("; {} in vain", count_text(s.count(event::kind::futile_wake)));
}

std::string trust_text(const span::data_quality& t) {
  // A worker that had gone, and whose ring another one took over, has no record and does not appear
  // in the recording.
  const std::string gone = t.reused_rings == 0 ? ""
                                               : fmt::format(", but for {} gone before",
                                                             count_text(t.reused_rings, "workers"));
  const std::string samples =
      t.sampled_work == 0
          ? ""
          : fmt::format("; in {} of it short jobs are sampled", span::percent_text(t.sampled_work));
  if (t.lost_records == 0 && t.observed >= 1)
    return fmt::format("complete{}; {} of the work is in recorded jobs{}", gone,
                       span::percent_text(t.work_with_site), samples);
  return fmt::format("{} of the time is known{}; {} lost, of {}; complete from {}{}",
                     span::percent_text(t.observed), gone, count_text(t.lost_records, "records"),
                     count_text(t.workers_with_losses, "workers"), time_text(t.complete_from_ns),
                     t.sampled_work == 0 ? "" : "; short jobs are sampled");
}

/// The kernel's part of the processor time, if it is worth saying; empty: it is not, or not known.
std::string kernel_text(const event::recording& from) {
  constexpr double worth_saying = 0.1;
  const auto used = static_cast<double>(from.user_ns) + static_cast<double>(from.kernel_ns);
  const double share = used > 0 ? static_cast<double>(from.kernel_ns) / used : 0;
  if (share < worth_saying) return {};
  return fmt::format("{} of the process's time on processors, for system calls and {}",
                     span::percent_text(share), count_text(from.page_faults, "page faults"));
}

void add_graph_facts(page& p) {
  graph_texts said = texts_of_graphs(p.recorded);
  p.facts.push_back({"graph", std::move(said.whole)});
  p.facts.push_back({"path", std::move(said.path)});
  p.facts.push_back({"what if", std::move(said.what_if)});
}

void print_jobs(page& p) {
  print_sites(p);
  p.print("");
  p.facts.push_back({"steals", steal_text(p.seen.seen)});
  p.facts.push_back({"wakes", wake_text(p.seen.seen)});
  if (std::string text = kernel_text(p.recorded); !text.empty())
    p.facts.push_back({"kernel", std::move(text)});
  p.facts.push_back({"trust", trust_text(p.seen.how_far)});
}

void print_page(page p) {
  print_verdict(p);
  print_budget(p);
  if (!p.recorded.graphs.empty()) add_graph_facts(p);
  if (p.recorded.analyzed) {
    print_analyzed(p, *p.recorded.analyzed);
  } else {
    print_jobs(p);
  }
  if (!p.sweep.empty()) p.facts.push_back({"sweep", p.sweep});
  if (p.judged.findings.size() > 1) p.facts.push_back({"also", p.judged.findings[1].sentence});
  print_facts(p);
}

int report(const report_request& request) {
  const examination made = examine(request.choice);
  if (!request.page_file.empty()) {
    write_page(request.page_file, page_of(made));
  } else if (request.as_json) {
    nlohmann::json all = to_json(made.recorded, made.seen, made.judged);
    for (const auto& each : made.commands)
      all["verdict"]["commands"].push_back(fmt::format("{}", fmt::join(each, " ")));
    if (!made.sweep.empty()) all["sweep"] = sweep_json(made.sweep, made.work_and_span());
    fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    const std::string sweep =
        made.sweep.empty() ? "" : sweep_text(made.sweep, made.work_and_span());
    print_page({made.recorded, made.seen, made.judged, sweep, made.commands});
  }
  return all_well;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("report", "Say where the time of a recorded run went, and why");
  auto request = std::make_shared<report_request>();
  add_recording_options(*command, request->choice)->required();
  auto* page = command->add_option("--html", request->page_file,
                                   "Write a page with the timeline, one file for a browser");
  page->type_name("FILE");
  command->add_flag("--json", request->as_json, "Print JSON and nothing else")->excludes(page);
  command->footer(
      "Examples:\n"
      "  FILCH_TRACE=run.filch ./app        record what the workers do for each other\n"
      "  FILCH_TRACE=run.filch:jobs ./app   jobs, too; samples if there are many\n"
      "  FILCH_TRACE_MAX_SIZE=2G            kept on disk meanwhile, at most; else 256M\n"
      "  FILCH_TRACE=run.filch:span ./app   work, span and call sites: runs it serially\n"
      "  FILCH_TRACE=run-%p.filch ./app     %p: the number of the process\n"
      "  filch report run.filch             what came of it\n"
      "  filch sweep --workers 1,2,4 --repeat 5 --json -- ./app > sweep.json\n"
      "  filch report run.filch --sweep sweep.json   with the speed-ups measured");
  command->callback([request, &exit_code] { exit_code = report(*request); });
}

}  // namespace filch::cli
