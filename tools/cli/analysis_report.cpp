#include <fmt/format.h>
#include <tools/cli/analysis_json.hpp>
#include <tools/cli/analysis_report.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace filch::cli {

namespace {

constexpr std::array<unsigned, 6> shown_workers = {2, 4, 16, 64, 256, 1024};
constexpr std::size_t shown_sites = 6;

std::string ns_text(double ns) { return seconds_text(ns * 1e-9); }

std::string percent_text(double part, double whole) {
  return fmt::format("{:.0f} %", whole > 0 ? 100 * part / whole : 0);
}

/// A recording from elsewhere may have a span of next to nothing.
double countable(double ratio) { return std::min(ratio, 1e15); }

/// 30200 as "30,200", 8.41 as "8.4".
std::string ratio_text(double ratio) {
  ratio = countable(ratio);
  return ratio < 99.5 ? fmt::format("{:.3g}", ratio)
                      : count_text(static_cast<std::uint64_t>(std::llround(ratio)));
}

std::string site_name(const analysis::site& site, std::size_t name_width = 27) {
  std::string name = event::text_of(site.where);
  if (name.size() > name_width) name = ".." + name.substr(name.size() - (name_width - 2));
  return name_text(name);
}

std::string grain_text(double factor) {
  if (factor > 1.05) return fmt::format("x {}", ratio_text(factor));
  return factor < 0.95 ? fmt::format("/ {}", ratio_text(1 / factor)) : "fine";
}

/// "4 ns [.:+#@@*:] 2.10 ms": a character for each power of two, the denser the more jobs there are
/// of that length.
std::string job_lengths_text(const analysis::result& found) {
  static constexpr std::string_view density = ".:-=+*#%@";
  duration_histogram all;
  for (const analysis::site& site : found.sites) all += site.jobs;
  const auto is_used = [](std::uint64_t count) { return count != 0; };
  const auto first = std::ranges::find_if(all.counts, is_used);
  if (first == all.counts.end()) return "none";
  const auto end = std::find_if(all.counts.rbegin(), all.counts.rend(), is_used).base();
  const double most = std::log2(1.0 + static_cast<double>(*std::max_element(first, end)));
  std::string bars;
  for (auto count = first; count != end; ++count) {
    const double level = std::log2(1.0 + static_cast<double>(*count)) / most;
    bars += *count == 0
                ? ' '
                : density[std::min(
                      density.size() - 1,
                      static_cast<std::size_t>(level * static_cast<double>(density.size())))];
  }
  const auto bucket_end = [&](auto at) {
    return std::ldexp(1.0, static_cast<int>(at - all.counts.begin()));
  };
  return fmt::format("{} [{}] {}",
                     first == all.counts.begin() ? "0 ns" : ns_text(bucket_end(first) / 2), bars,
                     ns_text(bucket_end(end - 1)));
}

void print_facts(std::FILE* stream, const analysis_report& report) {
  const analysis::result& found = report.found;
  table facts{{{.heading = ""}, {.heading = ""}}};
  facts.add_row({{"verdict", tone::faint}, {verdict(found, report.workers), tone::strong}});
  facts.add_row({{"work", tone::faint},
                 fmt::format("{}, {} of it for {}", ns_text(found.work_ns),
                             percent_text(found.fork_overhead_ns, found.work_ns),
                             count_text(found.forks, "forks"))});
  facts.add_row(
      {{"span", tone::faint},
       fmt::format("{}, with steals at their price {}{}", ns_text(found.span_ns),
                   ns_text(found.burdened_span_ns),
                   found.blocked_ns > 0 ? fmt::format("; blocked for {}", ns_text(found.blocked_ns))
                                        : "")});
  facts.add_row({{"parallelism", tone::faint},
                 fmt::format("{}, with steals at their price {}", ratio_text(found.parallelism()),
                             ratio_text(found.burdened_parallelism()))});
  facts.add_row({{"job lengths", tone::faint}, job_lengths_text(found)});
  facts.print(stream);
}

void print_speed_ups(std::FILE* stream, const analysis::result& found) {
  std::vector<table::column> columns{{.heading = "workers"}};
  std::vector<table::cell> bound{{"at most", tone::faint}}, expected{{"expected", tone::faint}};
  for (const unsigned workers : shown_workers) {
    columns.push_back({.heading = count_text(workers), .side = align::right});
    const analysis::predicted_time time = analysis::predict(found, workers);
    bound.push_back("x " + ratio_text(time.bound_ns > 0 ? found.work_ns / time.bound_ns : 1));
    expected.push_back({"x " + ratio_text(time.speed_up(found.work_ns)), tone::strong});
  }
  table speed_ups{std::move(columns)};
  speed_ups.add_row(std::move(bound));
  speed_ups.add_row(std::move(expected));
  speed_ups.print(stream);
}

}  // namespace

void print_sites(std::FILE* stream, const analysis_report& report, std::size_t name_width) {
  const analysis::result& found = report.found;
  table sites{{{.heading = "site"},
               {.heading = "forks", .side = align::right},
               {.heading = "work", .side = align::right},
               {.heading = "span", .side = align::right},
               {.heading = "mean leaf", .side = align::right},
               {.heading = "grain", .side = align::right}}};
  for (std::size_t i = 0; i != std::min(found.sites.size(), shown_sites); ++i) {
    const analysis::site& site = found.sites[i];
    const bool forks = site.forks != 0;
    sites.add_row(
        {site_name(site, name_width), forks ? count_text(site.forks) : "",
         percent_text(site.work_ns, found.work_ns), percent_text(site.span_ns, found.span_ns),
         forks ? ns_text(site.mean_leaf_ns()) : "",
         forks ? grain_text(analysis::suggested_grain(found, site, report.workers)) : ""});
  }
  sites.print(stream);
}

namespace {

/// What becomes of the whole if one site's code is twice as fast: with that site alone, as a
/// copy of all of them for each would take the square of their number.
class sped_up {
 public:
  explicit sped_up(const analysis::result& whole) : with_one_{whole} {}
  analysis::result by(const analysis::site& site) {
    with_one_.sites.assign(1, site);
    return analysis::what_if(with_one_, 0, 2);
  }

 private:
  analysis::result with_one_;
};

/// A site whose code becomes twice as fast, and how long the whole then takes, on as many workers.
struct faster_site {
  std::size_t index = 0;
  double then_ns = 0;
};

/// The one where it pays most, of one or more.
faster_site best_to_speed_up(const analysis_report& report) {
  sped_up whole{report.found};
  const auto made_faster = [&](std::size_t index) {
    return faster_site{
        index, analysis::predict(whole.by(report.found.sites[index]), report.workers).estimate_ns};
  };
  faster_site best = made_faster(0);
  for (std::size_t index = 1; index < report.found.sites.size(); ++index) {
    if (const faster_site next = made_faster(index); next.then_ns < best.then_ns) best = next;
  }
  return best;
}

void print_what_if(std::FILE* stream, const analysis_report& report) {
  if (report.found.sites.empty()) return;
  const std::string label = fmt::format("{:<12}", "on " + count_text(report.workers));
  fmt::print(stream, "  {} {}\n", painted(stream, tone::faint, label), what_if_text(report));
}

void print_measured(std::FILE* stream, const std::vector<measured_run>& runs) {
  if (runs.empty()) return;
  table measured{{{.heading = "workers", .side = align::right},
                  {.heading = "measured", .side = align::right},
                  {.heading = "predicted", .side = align::right},
                  {.heading = "from one worker's time", .side = align::right},
                  {.heading = "off", .side = align::right}}};
  for (const measured_run& run : runs) {
    measured.add_row({count_text(run.workers), seconds_text(run.seconds),
                      seconds_text(run.predicted_seconds), seconds_text(run.scaled_seconds),
                      fmt::format("{:+.1f} %", 100 * (run.scaled_seconds / run.seconds - 1))});
  }
  measured.print(stream);
}

}  // namespace

std::string work_and_span_text(const analysis::result& found) {
  return fmt::format("work {}, span {}, parallelism {}, burdened {}", ns_text(found.work_ns),
                     ns_text(found.span_ns), ratio_text(found.parallelism()),
                     ratio_text(found.burdened_parallelism()));
}

std::string speed_ups_text(const analysis::result& found) {
  std::string text;
  for (const unsigned workers : {2u, 4u, 16u, 64u, 1024u}) {
    const double expected = analysis::predict(found, workers).speed_up(found.work_ns);
    text += fmt::format("{}{} on {}", text.empty() ? "x " : ", ", ratio_text(expected),
                        count_text(workers));
  }
  return text + " workers";
}

std::string what_if_text(const analysis_report& report, std::size_t name_width) {
  if (report.found.sites.empty()) return {};
  const faster_site best = best_to_speed_up(report);
  return fmt::format("{} twice as fast: {}, not {}",
                     site_name(report.found.sites[best.index], name_width), ns_text(best.then_ns),
                     ns_text(analysis::predict(report.found, report.workers).estimate_ns));
}

std::string trust_text(const analysis::result& found) {
  std::string trust = fmt::format("work +- {} for what watching costs",
                                  percent_text(found.doubt_ns, found.work_ns));
  if (found.delayed_ns > 0.01 * found.work_ns)
    trust += fmt::format(", others took {}", ns_text(found.delayed_ns));
  if (found.submitted != 0)
    trust += fmt::format(", {} not seen", count_text(found.submitted, "jobs"));
  return trust;
}

namespace {

nlohmann::json site_json(const analysis_report& report, const analysis::site& site,
                         const analysis::result& faster) {
  nlohmann::json made = numbers_json(site);
  made["name"] = event::text_of(site.where);
  made["module"] = site.where.module;
  made["offset"] = site.where.offset;
  made["suggested_grain"] = analysis::suggested_grain(report.found, site, report.workers);
  made["twice_as_fast"] = {{"work_ns", faster.work_ns},
                           {"span_ns", faster.span_ns},
                           {"estimate_ns", analysis::predict(faster, report.workers).estimate_ns}};
  return made;
}

/// 1, 2, 4, ... 1024, and how many there are.
std::vector<unsigned> predicted_workers(unsigned workers) {
  std::vector<unsigned> all;
  for (unsigned each = 1; each <= 1024; each *= 2) all.push_back(each);
  const auto at = std::ranges::lower_bound(all, workers);
  if (workers != 0 && (at == all.end() || *at != workers)) all.insert(at, workers);
  return all;
}

}  // namespace

std::string verdict(const analysis::result& found, unsigned workers) {
  if (found.forks == 0) return "Serial: nothing forks.";
  const double overhead = found.work_ns > 0 ? found.fork_overhead_ns / found.work_ns : 0;
  if (found.parallelism() < 1.2)
    return "As good as serial: hardly anything can run beside something else.";
  if (found.burdened_parallelism() < workers)
    return fmt::format("Too little parallelism for {}.", count_text(workers, "workers"));
  if (found.burdened_parallelism() < 8 * workers)
    return fmt::format("Just enough parallelism for {}.", count_text(workers, "workers"));
  if (overhead > 0.25) return "Parallel enough, but forks are much of the work.";
  return fmt::format(
      "Parallel enough for {}.",
      count_text(static_cast<std::uint64_t>(countable(found.burdened_parallelism()) / 8),
                 "workers"));
}

void print_analysis(std::FILE* stream, const analysis_report& report) {
  print_facts(stream, report);
  fmt::print(stream, "\n");
  print_speed_ups(stream, report.found);
  fmt::print(stream, "\n");
  print_sites(stream, report);
  fmt::print(stream, "\n");
  print_what_if(stream, report);
  fmt::print(stream, "  {} {}\n", painted(stream, tone::faint, "trust       "),
             trust_text(report.found));
  print_measured(stream, report.measured);
}

nlohmann::json analysis_json(const analysis_report& report) {
  const analysis::result& found = report.found;
  nlohmann::json sites = nlohmann::json::array(), predictions = nlohmann::json::array(),
                 measured = nlohmann::json::array();
  sped_up whole{found};
  for (const analysis::site& each : found.sites)
    sites.push_back(site_json(report, each, whole.by(each)));
  for (const unsigned workers : predicted_workers(report.workers)) {
    const analysis::predicted_time time = analysis::predict(found, workers);
    predictions.push_back(
        {{"workers", workers}, {"bound_ns", time.bound_ns}, {"estimate_ns", time.estimate_ns}});
  }
  for (const measured_run& run : report.measured) {
    measured.push_back({{"workers", run.workers},
                        {"seconds", run.seconds},
                        {"predicted_seconds", run.predicted_seconds},
                        {"scaled_seconds", run.scaled_seconds}});
  }
  nlohmann::json made = numbers_json(found);
  made["verdict"] = verdict(found, report.workers);
  made["workers"] = report.workers;
  made["parallelism"] = countable(found.parallelism());
  made["burdened_parallelism"] = countable(found.burdened_parallelism());
  made["costs"] = numbers_json(found.costs);
  made["sites"] = sites;
  made["predictions"] = predictions;
  made["measured"] = measured;
  return made;
}

}  // namespace filch::cli
