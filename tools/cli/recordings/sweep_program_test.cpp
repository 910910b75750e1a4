// Runs `filch sweep`, and reports of sweeps, as a user does.
#include <filch/span/faulty_runs_test.hpp>
#include <tools/cli/recordings/load.hpp>
#include <tools/cli/recordings/written_test.hpp>

#include <algorithm>
#include <fstream>

namespace {

using namespace filch::span;
using namespace filch::cli;
using filch::base::scratch_folder;

/// A program that records as it is told, with as many workers: half as long on two.
class recording_program {
 public:
  recording_program() {
    std::ofstream{folder_ / "1"} << to_text_form(runs::all_busy(1).end(200 * runs::us));
    std::ofstream{folder_ / "2"} << to_text_form(runs::some_busy(2));
    std::ofstream{name()} << "#!/bin/sh\n"
                          << "echo running with $FILCH_WORKERS\n"
                          << "test \"$FILCH_WORKERS\" -le 2 || { echo cannot; exit 3; }\n"
                          << "cp '" << (folder_ / "").string()
                          << "'\"$FILCH_WORKERS\" \"$FILCH_TRACE\"\n";
    std::filesystem::permissions(name(), std::filesystem::perms::owner_all);
  }
  std::string name() const { return (folder_ / "app").string(); }

 private:
  scratch_folder folder_;
};

TEST(sweep_command, runs_the_program_with_each_number_of_workers) {
  const recording_program app;
  const outcome said =
      filch_says({"sweep", "--workers", "1,2", "--json", "--", app.name(), "--size", "3"});
  ASSERT_EQ(said.exit_code, 0) << said.output;
  const auto rows = nlohmann::json::parse(said.output);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["workers"], 1);
  EXPECT_EQ(rows[0]["speed_up"], 1.0);
  EXPECT_EQ(rows[0]["budget"]["slots"], 1);
  EXPECT_EQ(rows[1]["budget"]["share"]["working"], 0.5);
  EXPECT_GT(rows[1]["wall_ns"], 0);
}

TEST(sweep_command, that_fails_late_prints_what_it_has_measured) {
  const recording_program app;
  const outcome said =
      filch_says({"sweep", "--workers", "1,2,3", "--repeat", "2", "--", app.name()});
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_NE(said.output.find("speed-up"), said.output.npos) << said.output;
  EXPECT_NE(said.output.find("2 workers: "), said.output.npos) << said.output;
  EXPECT_NE(
      said.output.find(
          "FILCH_WORKERS=3 ended with status 3; its last words:\n  running with 3\n  cannot\n"),
      said.output.npos)
      << said.output;
}

/// As the terminal does for ctrl-C: all of its processes get the signal.
TEST(sweep_command, that_is_interrupted_prints_what_it_has_measured) {
  const outcome said =
      filch_says({"sweep", "--workers", "1,2", "--", "sh", "-c",
                  R"([ "$FILCH_WORKERS" = 1 ] || { kill -INT $PPID; kill -INT $$; })"});
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_NE(said.output.find("speed-up"), said.output.npos) << said.output;
  EXPECT_NE(said.output.find("FILCH_WORKERS=2 ended with status 130"), said.output.npos)
      << said.output;
}

/// A sweep in a file, as it might have been printed: best 40 ms on one worker, 20 on two.
class swept {
 public:
  static constexpr const char* two_counts = R"([
      {"workers": 2, "wall_ns": 20000000, "runs_ns": [25000000, 20000000]},
      {"workers": 1, "wall_ns": 40000000, "runs_ns": [40000000, 50000000, 41000000]}])";

  explicit swept(const std::string& text = two_counts) { std::ofstream{name()} << text; }
  std::string name() const { return (folder_ / "sweep.json").string(); }

 private:
  scratch_folder folder_;
};

TEST(sweep_command, prints_every_run_and_report_reads_them) {
  const recording_program app;
  const outcome said =
      filch_says({"sweep", "--workers", "1,2", "--repeat", "3", "--json", "--", app.name()});
  const auto rows = nlohmann::json::parse(said.output);
  for (const auto& row : rows) {
    ASSERT_EQ(row["runs_ns"].size(), 3u);
    EXPECT_EQ(*std::ranges::min_element(row["runs_ns"]), row["wall_ns"]);
  }
  const swept file{said.output};
  const auto report =
      filch_says({"report", written{runs::some_busy(2)}.name(), "--sweep", file.name(), "--json"});
  const auto measured = nlohmann::json::parse(report.output)["sweep"]["rows"];
  EXPECT_EQ(measured[1]["workers"], 2);
  EXPECT_EQ(*std::ranges::max_element(measured[1]["speed_ups"]), rows[1]["speed_up"]);
}

TEST(report_command, shows_the_speed_ups_of_a_sweep_with_their_spread) {
  const written file{runs::some_busy(2)};
  const swept sweep;
  const std::string text = filch_says({"report", file.name(), "--sweep", sweep.name()}).output;
  EXPECT_NE(text.find("  sweep   x 1.00 on 1 worker (0.80 to 1.00), 2.00 on 2 (1.60 to 2.00)\n"),
            text.npos)
      << text;
  EXPECT_EQ(text.find("expected"), text.npos) << "nothing knows work and span";
  const std::string older = R"([{"workers": 1, "wall_ns": 30}, {"workers": 2, "wall_ns": 20}])";
  const std::string best_only =
      filch_says({"report", file.name(), "--sweep", swept{older}.name()}).output;
  EXPECT_NE(best_only.find("  sweep   x 1.00 on 1 worker, 1.50 on 2\n"), best_only.npos)
      << best_only;
}

TEST(report_command, takes_what_nobody_watched_of_swept_processes_for_serial) {
  filch::event::recording watched = runs::all_busy(1).end(30'000 * runs::us);
  watched.analyzed.emplace();
  watched.analyzed->work_ns = 30e6;
  watched.analyzed->span_ns = watched.analyzed->burdened_span_ns = 0;
  const written file{watched};
  const swept sweep;
  const std::string text = filch_says({"report", file.name(), "--sweep", sweep.name()}).output;
  EXPECT_NE(text.find("2.00 on 2 (1.60 to 2.00; 1.60"), text.npos)
      << "40 ms over 10 and half of 30\n"
      << text;
  const auto told = nlohmann::json::parse(
      filch_says({"report", file.name(), "--sweep", sweep.name(), "--json"}).output)["sweep"];
  EXPECT_EQ(told["whole"]["outside_ns"], 10e6);
  EXPECT_EQ(told["whole"]["parallelism"], 4.0);
  EXPECT_EQ(told["rows"].back()["workers"], 1024);
  EXPECT_EQ(told["rows"].back()["bound"], 4.0);
}

TEST(report_command, refuses_what_is_no_sweep) {
  const written file{runs::some_busy(2)};
  const auto complaint = [&](const std::string& text) {
    const swept sweep{text};
    const outcome said = filch_says({"report", file.name(), "--sweep", sweep.name()});
    EXPECT_EQ(said.exit_code, 1) << said.output;
    EXPECT_NE(said.output.find(sweep.name() + ": no sweep as `filch sweep --json` prints it: "),
              said.output.npos)
        << said.output;
    return said.output;
  };
  for (const char* text :
       {"", "rubbish", "{}", "[]", "[1]", R"([{"workers": 1}])",
        R"([{"workers": 1, "wall_ns": 0}])", R"([{"workers": -1, "wall_ns": 5}])",
        R"([{"workers": 1, "wall_ns": 5, "runs_ns": []}])",
        R"([{"workers": 1, "wall_ns": 5, "runs_ns": [1.5]}])"})
    complaint(text);
  EXPECT_NE(complaint(R"([{"workers": 2, "wall_ns": 5}])").find("sweep with --workers 1,2.."),
            std::string::npos);
  const outcome missing = filch_says({"report", file.name(), "--sweep", "/no/such/file"});
  EXPECT_NE(missing.output.find("cannot read /no/such/file"), missing.output.npos)
      << missing.output;
}

TEST(sweep_command, prints_a_table_that_fits_and_a_verdict) {
  const recording_program app;
  const outcome said = filch_says({"sweep", "--workers", "1,2", "--repeat", "2", "--", app.name()});
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_LE(size_of(said.output).widest, 80u) << said.output;
  EXPECT_NE(said.output.find("2 workers: Too little parallelism"), std::string::npos)
      << said.output;
  EXPECT_EQ(said.output.find("running with"), std::string::npos) << "its own words are its own";
}

TEST(sweep_command, says_what_its_speed_ups_are_over_where_that_is_not_one_worker) {
  const recording_program app;
  const std::string one_first = filch_says({"sweep", "--workers", "1,2", "--", app.name()}).output;
  EXPECT_NE(one_first.find(" speed-up "), std::string::npos) << one_first;
  const std::string two_first = filch_says({"sweep", "--workers", "2,1", "--", app.name()}).output;
  EXPECT_EQ(two_first.find("speed-up"), std::string::npos) << two_first;
  EXPECT_NE(two_first.find(" over 2 "), std::string::npos) << two_first;
}

TEST(sweep_command, reports_a_program_that_fails_with_what_it_said) {
  const recording_program app;
  const outcome said = filch_says({"sweep", "--workers", "1,3", "--", app.name()});
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_NE(said.output.find("FILCH_WORKERS=3 ended with status 3"), std::string::npos)
      << said.output;
  EXPECT_NE(said.output.find("cannot"), std::string::npos);
  const outcome missing = filch_says({"sweep", "--workers", "1", "--", "/no/such/app"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_NE(missing.output.find("cannot run /no/such/app: No such file or directory"),
            std::string::npos)
      << missing.output;
}

TEST(sweep_command, tells_times_of_a_program_that_records_nothing) {
  const outcome said = filch_says({"sweep", "--workers", "1", "--", "true"});
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_NE(said.output.find("is it linked with filch?"), std::string::npos) << said.output;
}

TEST(sweep_command, refuses_what_makes_no_sense) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"sweep", "--workers", "0", "--", "true"},
        {"sweep", "--workers", "x", "--", "true"},
        {"sweep", "--workers", "1"},
        {"sweep", "--", "true"}}) {
    EXPECT_EQ(filch_says(arguments).exit_code, 2) << fmt::format("{}", fmt::join(arguments, " "));
  }
}

}  // namespace
