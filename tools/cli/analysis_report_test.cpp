#include <gtest/gtest.h>
#include <tools/cli/analysis_report.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace {

using namespace filch;
using namespace filch::cli;

/// A tree of a million leaves with a serial end, as an analysis would find it.
analysis_report some_report() {
  analysis_report report;
  report.workers = 8;
  analysis::result& found = report.found;
  found.work_ns = 1e9;
  found.span_ns = 1e6;
  found.burdened_span_ns = 2e6;
  found.forks = 1'000'000;
  found.fork_overhead_ns = 2e6;
  found.doubt_ns = 3e6;
  found.sites.resize(9);
  for (std::size_t i = 0; i != found.sites.size(); ++i) {
    analysis::site& site = found.sites[i];
    site.where.name = "a_rather_long_namespace::and_a_function_with_a_name_" + std::to_string(i);
    site.work_ns = i == 0 ? 0.9e9 : 0.1e9 / 8;
    site.forks = i == 8 ? 0 : 1'000'000 / 8;
    site.leaves = site.forks;
    site.leaf_ns = site.work_ns;
    site.span_ns = i == 8 ? 0.9e6 : 0.1e6 / 8;
    site.jobs.add(100);
    site.jobs.add(5000);
  }
  report.measured = {{1, 1.0, 1.0, 1.0}, {2, 0.5, 0.51, 0.52}};
  return report;
}

std::string printed(const analysis_report& report) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* memory = ::open_memstream(&text, &size);
  print_analysis(memory, report);
  std::fclose(memory);
  const std::string result{text, size};
  std::free(text);
  return result;
}

TEST(analysis_report, fits_a_terminal_of_24_lines_and_80_columns) {
  const std::string text = printed(some_report());
  // With the line of the workload above it
  EXPECT_LE(std::ranges::count(text, '\n') + 1, 24) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_NE(text.find("+4.0 %"), text.npos) << "predicted 0.52 s, measured 0.5 s\n" << text;
}

TEST(analysis_report, the_verdict_says_what_is_in_the_way) {
  analysis::result found = some_report().found;
  EXPECT_EQ(verdict(found, 8), "Parallel enough for 62 workers.");
  EXPECT_EQ(verdict(found, 100), "Just enough parallelism for 100 workers.");
  EXPECT_EQ(verdict(found, 1000), "Too little parallelism for 1,000 workers.");
  found.fork_overhead_ns = 0.5e9;
  EXPECT_EQ(verdict(found, 8), "Parallel enough, but forks are much of the work.");
  found.span_ns = found.burdened_span_ns = found.work_ns;
  EXPECT_EQ(verdict(found, 8), "As good as serial: hardly anything can run beside something else.");
  EXPECT_EQ(verdict(analysis::result{}, 8), "Serial: nothing forks.");
}

TEST(analysis_report, says_what_pays_most_to_make_faster) {
  analysis_report report = some_report();
  EXPECT_NE(printed(report).find("a_name_0 twice as fast"), std::string::npos)
      << "nine tenths of the work";
  report.workers = 1024;
  EXPECT_NE(printed(report).find("a_name_8 twice as fast"), std::string::npos)
      << "nine tenths of the span";
}

TEST(analysis_report, job_lengths_are_drawn_from_the_shortest_to_the_longest) {
  EXPECT_NE(printed(some_report()).find("64.0 ns [@     @] 8.19 us"), std::string::npos)
      << printed(some_report());
}

TEST(analysis_report, predictions_fit_a_line) {
  EXPECT_EQ(speed_ups_text(some_report().found),
            "x 2 on 2, 3.98 on 4, 15.5 on 16, 56.8 on 64, 336 on 1,024 workers");
  EXPECT_EQ(what_if_text(some_report(), 10), "..a_name_0 twice as fast: 70.5 ms, not 127 ms");
  EXPECT_EQ(what_if_text({}), "");
}

TEST(analysis_report, work_and_span_fit_a_line) {
  EXPECT_EQ(work_and_span_text(some_report().found),
            "work 1.00 s, span 1.00 ms, parallelism 1,000, burdened 500");
}

TEST(analysis_report, what_a_hostile_recording_says_is_printed_all_the_same) {
  analysis::result found;
  found.forks = 1;
  found.work_ns = 0x1p62;
  found.span_ns = found.burdened_span_ns = 1e-300;
  found.sites.resize(1);
  const analysis_report report = recorded_analysis(found, 0);
  EXPECT_NE(printed(report).find("1,000,000,000,000,000"), std::string::npos) << printed(report);
  EXPECT_EQ(analysis_json(report)["parallelism"], 1e15);
}

TEST(analysis_report, doubt_delays_and_unseen_jobs_are_told) {
  analysis_report report = some_report();
  report.found.delayed_ns = 0.5e9;
  report.found.submitted = 3;
  const std::string text = printed(report);
  EXPECT_NE(text.find("work +- 0 % for what watching costs, others took 500 ms, 3 jobs not seen\n"),
            text.npos)
      << text;
}

TEST(analysis_report, json_has_all_sites_and_predictions_for_1_to_1024_workers) {
  const nlohmann::json json = analysis_json(some_report());
  EXPECT_EQ(json["sites"].size(), 9u);
  EXPECT_EQ(json["predictions"].size(), 11u);
  EXPECT_EQ(json["predictions"][10]["workers"], 1024);
  EXPECT_EQ(json["costs"]["tick_ns"], 1);
  EXPECT_EQ(json["sites"][0]["jobs_by_log2_ns"].size(), 14u) << "5,000 lies between 2^12 and 2^13";
  EXPECT_EQ(json["measured"].size(), 2u);
  EXPECT_EQ(json["parallelism"], 1000);
}

TEST(analysis_report, json_predicts_for_the_number_of_workers_too) {
  analysis_report report = some_report();
  for (const unsigned workers : {6u, 3000u}) {
    report.workers = workers;
    const nlohmann::json predictions = analysis_json(report)["predictions"];
    std::vector<unsigned> all;
    for (const nlohmann::json& each : predictions) all.push_back(each["workers"]);
    EXPECT_EQ(all.size(), 12u);
    EXPECT_TRUE(std::ranges::is_sorted(all));
    EXPECT_EQ(std::ranges::count(all, workers), 1);
  }
}

}  // namespace
