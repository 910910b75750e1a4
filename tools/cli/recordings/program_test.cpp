// Runs the commands on recordings as a user does, and reads what they print and return.
#include <filch/span/faulty_runs_test.hpp>
#include <tools/cli/recordings/written_test.hpp>
#include <tools/cli/terminal_test.hpp>

namespace {

using namespace filch::span;
using namespace filch::cli;

TEST(report_command, fits_a_screen_and_says_the_verdict_first) {
  for (const faulty_run& run : runs::all()) {
    const written file{run.must.recorded};
    const outcome said = filch_says({"report", file.name()});
    EXPECT_EQ(said.exit_code, 0) << said.output;
    const paper page = size_of(said.output);
    EXPECT_LE(page.lines, 23u) << "the prompt has the 24th\n" << said.output;
    EXPECT_LE(page.widest, 80u) << said.output;
    EXPECT_EQ(said.output.find('\033'), std::string::npos);
    if (run.must.on_one_worker) continue;
    const std::string sentence = judge(run.must.recorded, observe(run.must.recorded, 0)).sentence;
    EXPECT_NE(said.output.find(sentence.substr(0, 40)), std::string::npos) << said.output;
  }
}

/// A run that was watched: a hundred times as much work as span, in eight places.
filch::event::recording watched_run() {
  filch::event::recording made = runs::jobs_and_a_last_one(250 * runs::us);
  filch::analysis::result& found = made.analyzed.emplace();
  found.work_ns = 1e9;
  found.span_ns = 1e7;
  found.burdened_span_ns = 2e7;
  found.forks = 8000;
  for (int i = 0; i != 8; ++i) {
    filch::analysis::site& site = found.sites.emplace_back();
    site.where.name =
        "some_namespace::of_the_program::with_a_function_of_a_long_name_" + std::to_string(i);
    site.forks = site.leaves = 1000;
    site.work_ns = site.leaf_ns = 1e9 / 8;
    site.span_ns = 1e7 / 8;
    site.jobs.add(1e6);
  }
  return made;
}

TEST(report_command, says_work_and_span_of_a_watched_run_and_does_not_blame_it_for_being_serial) {
  const written file{watched_run()};
  for (const std::size_t columns : {70, 80, 100}) {
    const std::string text =
        filch_says({"report", file.name()}, fmt::format("COLUMNS={}", columns)).output;
    EXPECT_LE(size_of(text).widest, columns) << text;
    EXPECT_LE(size_of(text).lines, 23u) << text;
  }
  const std::string text = filch_says({"report", file.name()}).output;
  EXPECT_NE(text.find("Parallel enough for 6 workers. It ran serially, to be watched."), text.npos)
      << text;
  EXPECT_NE(text.find("work 1.00 s, span 10.0 ms, parallelism 100, burdened 50"), text.npos)
      << text;
  EXPECT_NE(text.find("function_of_a_long_name_5"), text.npos) << text;
  EXPECT_NE(
      text.find(
          "\n  faster  x 1.96 on 2, 3.77 on 4, 12.3 on 16, 28.3 on 64, 47.7 on 1,024 workers\n"),
      text.npos)
      << text;
  EXPECT_NE(text.find("a_long_name_0 twice as fast: 249 ms, not 265 ms on 4\n"), text.npos) << text;
}

TEST(report_command, has_work_and_span_as_json) {
  const auto watched =
      nlohmann::json::parse(filch_says({"report", written{watched_run()}.name(), "--json"}).output);
  EXPECT_EQ(watched["verdict"]["findings"].size(), 0u);
  EXPECT_EQ(watched["analysis"]["parallelism"], 100);
  EXPECT_EQ(watched["analysis"]["burdened_parallelism"], 50);
  EXPECT_EQ(watched["analysis"]["sites"].size(), 8u);
  EXPECT_EQ(watched["analysis"]["workers"], watched["budget"]["slots"]);
  const auto other = nlohmann::json::parse(
      filch_says({"report", written{runs::some_busy(2)}.name(), "--json"}).output);
  EXPECT_TRUE(other["analysis"].is_null());
}

TEST(recording_commands, on_a_terminal_have_colour_unless_somebody_wants_none_and_fit_it) {
  const written file{runs::jobs_and_a_last_one(250'000)}, other{runs::some_busy(2)},
      watched{watched_run()};
  const std::vector<std::vector<std::string>> commands{
      {"report", file.name()},
      {"report", watched.name()},
      {"diff", file.name(), other.name()},
      {"check", file.name(), "--max", "starved=100%"}};
  for (const std::vector<std::string>& command : commands) {
    for (const unsigned short columns : std::array<unsigned short, 2>{80, 100}) {
      for (const bool has_colour : {true, false}) {
        terminal screen{command, {.columns = columns, .has_colour = has_colour}};
        const screen_text shown = on_screen(screen.whole());
        EXPECT_EQ(screen.exit_code(), 0) << command[0];
        EXPECT_EQ(shown.has_colour, has_colour) << command[0];
        EXPECT_LE(widest_of(shown), columns) << fmt::format("{}", fmt::join(shown.lines, "\n"));
      }
    }
  }
}

TEST(report_command, believes_columns_more_than_the_terminal) {
  const written file{runs::jobs_and_a_last_one(250'000)};
  terminal screen{{"report", file.name()}, {.columns = 200, .has_colour = true, .COLUMNS = "80"}};
  const screen_text shown = on_screen(screen.whole());
  EXPECT_LE(widest_of(shown), 80u);
  EXPECT_GE(widest_of(shown), 78u) << "the bar fills it";
}

TEST(report_command, goes_by_columns) {
  const written file{runs::jobs_and_a_last_one(250'000)};
  for (const std::size_t columns : {60, 80, 100}) {
    const paper page =
        size_of(filch_says({"report", file.name()}, fmt::format("COLUMNS={}", columns)).output);
    EXPECT_LE(page.widest, columns);
    EXPECT_GE(page.widest, columns - 2) << "the bar fills it";
  }
}

TEST(recording_commands, on_a_terminal_that_is_too_narrow_say_what_they_say_on_forty_columns) {
  const written file{runs::jobs_and_a_last_one(250'000)}, other{runs::some_busy(2)},
      watched{watched_run()};
  for (const std::vector<std::string>& command : {std::vector<std::string>{"report", file.name()},
                                                  {"report", watched.name()},
                                                  {"diff", file.name(), other.name()}}) {
    const outcome wanted = filch_says(command, "COLUMNS=40");
    EXPECT_EQ(wanted.exit_code, 0) << wanted.output;
    for (const int columns : {1, 9, 18, 30}) {
      const outcome said = filch_says(command, fmt::format("COLUMNS={}", columns));
      EXPECT_EQ(said.exit_code, 0) << columns;
      EXPECT_EQ(said.output, wanted.output) << columns;
    }
  }
}

TEST(report_command, compares_with_a_run_on_one_worker) {
  for (const faulty_run& run : runs::all()) {
    if (run.what != fault::memory_bound) continue;
    const written together{run.must.recorded}, alone{*run.must.on_one_worker};
    const outcome said = filch_says({"report", together.name(), "--alone", alone.name(), "--json"});
    ASSERT_EQ(said.exit_code, 0) << said.output;
    EXPECT_EQ(nlohmann::json::parse(said.output)["verdict"]["findings"][0]["fault"],
              "memory_bound");
  }
}

TEST(report_command, compares_with_no_run_on_four_workers_unless_that_was_watched) {
  const written together{runs::some_busy(4)}, watched{watched_run()};
  const outcome refused = filch_says({"report", together.name(), "--alone", together.name()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(refused.output,
            "filch: " + together.name() +
                ": has 4 slots; --alone wants a run with FILCH_WORKERS=1, or one at span level\n");
  EXPECT_EQ(filch_says({"report", together.name(), "--alone", watched.name()}).exit_code, 0);
}

TEST(report_command,
     says_of_forks_that_they_are_estimated_and_of_workers_that_their_records_are_gone) {
  using filch::event::activity;
  using filch::event::kind;
  scene one{1, 1};
  one.site("leaf").turn(0, 0, activity::working, 0);
  for (std::int64_t at = 100; at < 900; at += 100) {
    one.say(at, 0, kind::job_changed, activity::working, 0, {.other = 1, .amount = 1});
    one.say(at + 20, 0, kind::job_changed, activity::working, 0, {.other = 0});
  }
  filch::event::recording made = one.end(1000);
  made.fork_ps = 5000;
  made.reused_rings = 3;
  const written file{made};
  const std::string text = filch_says({"report", file.name()}).output;
  EXPECT_NE(text.find("F forking 4.0 % (estimated)"), text.npos) << text;
  EXPECT_NE(text.find("complete, but for 3 workers gone before; 16 % of the work"), text.npos)
      << text;
  const auto trust =
      nlohmann::json::parse(filch_says({"report", file.name(), "--json"}).output)["trust"];
  EXPECT_EQ(trust["forks_estimated"], 8);
  EXPECT_EQ(trust["fork_ns"], 5.0);
  EXPECT_EQ(trust["reused_rings"], 3);
  made.fork_ps = made.reused_rings = 0;
  const std::string plain = filch_says({"report", written{made}.name()}).output;
  EXPECT_EQ(plain.find("forking"), plain.npos) << plain;
  EXPECT_NE(plain.find("complete; 16 % of the work"), plain.npos) << plain;
}

TEST(report_command, counts_no_probe_for_what_joins_steal_back) {
  using filch::event::activity;
  using filch::event::kind;
  scene two{2, 2};
  two.turn(0, 0, activity::working, 0).turn(0, 1, activity::searching, 1);
  two.say(100, 1, kind::steal_tried, activity::searching, 1, {.other = 0})
      .say(110, 1, kind::steal_lost, activity::searching, 1);
  two.say(200, 1, kind::steal_tried, activity::searching, 1, {.other = 0});
  two.say(210, 1, kind::steal_won, activity::searching, 1, {.other = 0}).job(220, 900, 1, 1, 0, 0);
  for (std::int64_t at = 300; at < 600; at += 100) {
    two.say(at, 0, kind::steal_won, activity::waiting, 0, {.other = 1});
    two.say(at, 0, kind::stolen_back, activity::waiting, 0, {.other = 1})
        .job(at + 10, at + 50, 0, 0, 0, 1);
  }
  const written file{two.end(1000)};
  const outcome said = filch_says({"report", file.name()});
  EXPECT_NE(said.output.find("1 of 2 probes won, 3 more stolen back in joins"), std::string::npos)
      << said.output;
  EXPECT_EQ(said.output.find(".."), std::string::npos) << "there are lines enough for all of it\n"
                                                       << said.output;
}

/// Two ways through a graph, of which the one by "decode" is longer.
filch::event::graph_run some_graph(std::int64_t ns) {
  filch::event::graph_run made;
  made.name = "frame";
  made.wall_ns = static_cast<std::uint64_t>(ns);
  made.work_ns = 80'000;
  made.span_ns = 60'000;
  made.runs = 7;
  made.node_count = 4;
  made.nodes = {{"load", {}, 0, 10'000, 0, 55'000, {1, 2}},
                {"decode", {}, 0, 40'000, 0, 40'000, {3}},
                {"mix", {}, 1, 20'000, 20'000, 60'000, {3}},
                {"show", {}, 0, 10'000, 0, 55'000, {}}};
  return made;
}

TEST(report_command, shows_the_critical_path_of_the_longest_graph_on_the_same_screen) {
  for (filch::event::recording made : {runs::jobs_and_a_last_one(250 * runs::us), watched_run()}) {
    made.graphs = {some_graph(65'000), some_graph(30'000)};
    const written file{made};
    const std::string text = filch_says({"report", file.name()}).output;
    EXPECT_LE(size_of(text).lines, 23u) << text;
    EXPECT_LE(size_of(text).widest, 80u) << text;
    for (const char* const each :
         {"graph   frame, 4 nodes: 65.0 us, longest of 7; work 80.0 us, span 60.0 us",
          "path    load 10.0 us > decode 40.0 us > show 10.0 us\n",
          "what if span with one node twice as fast: decode 40.0 us, load 55.0 us"})
      EXPECT_NE(text.find(each), text.npos) << each << '\n' << text;
    EXPECT_EQ(text.find("mix"), text.npos) << "it is not on the path, and gains nothing\n" << text;
    const nlohmann::json told =
        nlohmann::json::parse(filch_says({"report", file.name(), "--json"}).output).at("graphs");
    EXPECT_EQ(told.at(0).at("critical_path"), (nlohmann::json{0, 1, 3}));
    EXPECT_EQ(told.at(0).at("nodes").at(2).at("slack_ns"), 20'000);
  }
}

TEST(report_command, names_a_file_that_it_cannot_use) {
  const outcome missing = filch_says({"report", "/no/such/file"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_EQ(missing.output, "filch: cannot read /no/such/file: No such file or directory\n");
  const outcome wrong = filch_says({"report", FILCH_PROGRAM});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_NE(wrong.output.find(FILCH_PROGRAM), std::string::npos) << wrong.output;
  const written file{runs::some_busy(1)};
  EXPECT_EQ(filch_says({"report", file.name(), "--pool", "7"}).exit_code, 1);
  EXPECT_EQ(filch_says({"report"}).exit_code, 2);
}

TEST(check_command, fails_with_the_limit_that_is_not_kept) {
  const written file{runs::some_busy(1)};
  const outcome kept =
      filch_says({"check", file.name(), "--max", "starved=80%", "--min", "parallelism=1"});
  EXPECT_EQ(kept.exit_code, 0);
  EXPECT_EQ(kept.output,
            "ok     starved is 75 %, within the limit of 80 %\nok     parallelism is 1.0, within "
            "the limit of 1.0\n");
  const outcome broken =
      filch_says({"check", file.name(), "--max", "starved=10%", "--min", "parallelism=1"});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_NE(broken.output.find("FAILED starved is 75 %, above the limit of 10 %"),
            std::string::npos)
      << broken.output;
  const outcome as_json = filch_says({"check", file.name(), "--min", "parallelism=16", "--json"});
  EXPECT_EQ(as_json.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(as_json.output)["limits"][0]["kept"], false);
}

TEST(check_command, fails_where_hardly_anything_is_known) {
  filch::event::recording of_the_end = runs::some_busy(1);
  for (filch::event::recorded_worker& each : of_the_end.workers) {
    each.complete_from_ns = of_the_end.length_ns / 10 * 9;
    each.lost = 1'000'000;
  }
  std::erase_if(of_the_end.entries, [&](const auto& e) {
    return e.at_ns < of_the_end.workers[e.worker].complete_from_ns;
  });
  const written file{of_the_end};
  const outcome said = filch_says({"check", file.name(), "--max", "starved=10%"});
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_NE(said.output.find("ok     starved is "), std::string::npos) << said.output;
  EXPECT_NE(said.output.find("FAILED unknown is "), std::string::npos) << said.output;
  const outcome as_json = filch_says({"check", file.name(), "--max", "starved=10%", "--json"});
  EXPECT_EQ(nlohmann::json::parse(as_json.output)["limits"][1]["name"], "unknown");
  for (const char* allowed : {"unknown=100%", "lost=10000000"})
    EXPECT_EQ(
        filch_says({"check", file.name(), "--max", "starved=10%", "--max", allowed}).exit_code, 0)
        << allowed;
}

TEST(check_command, holds_a_watched_run_to_its_work_and_span) {
  const written watched{watched_run()}, other{runs::some_busy(2)};
  const outcome kept =
      filch_says({"check", watched.name(), "--min", "parallelism=16", "--max", "span=10ms"});
  EXPECT_EQ(kept.exit_code, 0) << kept.output;
  EXPECT_NE(kept.output.find("parallelism is 100, within the limit of 16"), kept.output.npos)
      << kept.output;
  EXPECT_EQ(filch_says({"check", watched.name(), "--min", "burdened=51"}).exit_code, 1);
  const outcome absent = filch_says({"check", other.name(), "--max", "span=10ms"});
  EXPECT_EQ(absent.exit_code, 1);
  EXPECT_NE(
      absent.output.find("'span' is measured only at span level (FILCH_TRACE=out.filch:span)"),
      absent.output.npos)
      << absent.output;
}

TEST(check_command, holds_a_parallel_run_and_the_same_work_at_span_level_to_one_line_of_limits) {
  const written run{runs::some_busy(4)}, watched{watched_run()};
  const std::vector<std::string> limits{"--max", "starved=10%", "--min", "parallelism=16"};
  const auto check = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "check");
    arguments.insert(arguments.end(), limits.begin(), limits.end());
    return filch_says(arguments);
  };
  const outcome both = check({run.name(), "--alone", watched.name()});
  EXPECT_EQ(both.exit_code, 0) << both.output;
  EXPECT_EQ(both.output,
            "ok     starved is 0.0 %, within the limit of 10 %\nok     parallelism is 100, within "
            "the limit of 16\n");
  EXPECT_EQ(check({run.name()}).exit_code, 1) << "four slots are no more than four";
  const outcome serial = check({watched.name()});
  EXPECT_EQ(serial.exit_code, 1);
  EXPECT_EQ(serial.output, "filch: " + watched.name() +
                               ": it ran serially, to be watched, so 'starved' says nothing of it; "
                               "check a run at another "
                               "level, with this one as --alone\n");
  const outcome unwatched = check({run.name(), "--alone", run.name()});
  EXPECT_EQ(unwatched.exit_code, 1);
  EXPECT_NE(unwatched.output.find(
                "--alone wants the same work at span level (FILCH_TRACE=out.filch:span)"),
            unwatched.output.npos)
      << unwatched.output;
}

TEST(check_command, refuses_limits_that_make_no_sense) {
  const written file{runs::some_busy(1)};
  for (const char* text : {"starved", "starvd=1%", "starved=ten"}) {
    const outcome said = filch_says({"check", file.name(), "--max", text});
    EXPECT_EQ(said.exit_code, 2) << text;
    EXPECT_NE(said.output.find("filch: "), std::string::npos);
  }
  EXPECT_EQ(filch_says({"check", file.name()}).exit_code, 2);
  EXPECT_NE(filch_says({"check", "--help"}).output.find("\n  starved "), std::string::npos);
}

TEST(diff_command, says_what_changed_most) {
  const written before{runs::some_busy(1)}, after{runs::some_busy(4)};
  const outcome said = filch_says({"diff", before.name(), after.name()});
  EXPECT_EQ(said.exit_code, 0) << said.output;
  EXPECT_NE(said.output.find("The runs take equally long"), std::string::npos) << said.output;
  EXPECT_NE(said.output.find("what changed most is working,"), std::string::npos) << said.output;
  EXPECT_LE(size_of(said.output).widest, 80u);
  const auto json =
      nlohmann::json::parse(filch_says({"diff", before.name(), after.name(), "--json"}).output);
  EXPECT_EQ(json["changed_most"], "working");
  EXPECT_EQ(json["first"]["share"]["working"], 0.25);
}

TEST(diff_command, sees_no_change_where_there_is_none) {
  const written file{runs::some_busy(2)};
  EXPECT_NE(filch_says({"diff", file.name(), file.name()}).output.find("nothing changed"),
            std::string::npos);
}

TEST(recording_commands, have_help_that_fits) {
  for (const char* command : {"report", "check", "diff", "sweep", "view"}) {
    const outcome said = filch_says({command, "--help"});
    EXPECT_EQ(said.exit_code, 0);
    EXPECT_LE(size_of(said.output).widest, 80u) << said.output;
  }
}

}  // namespace
