// `filch explain` as a user calls it: into a pipe, into a file, and on a terminal.
#include <tools/cli/terminal_test.hpp>

namespace {

using namespace filch::cli;
using filch::base::scratch_folder;

/// Its complaints come with its output.
outcome explain(const std::string& arguments) {
  outcome run = run_filch("explain " + arguments);
  run.output += run.errors;
  return run;
}

TEST(explain, prints_its_steps_where_there_is_no_terminal) {
  const outcome run = explain("--scene balanced --scheduler static_split");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(run.output.starts_with("Balanced tree, Static split: ")) << run.output;
  EXPECT_NE(run.output.find("\n    0  Worker 1 goes on with task 1.\n"), std::string::npos)
      << run.output;
  EXPECT_TRUE(run.output.ends_with("\n54 ticks, 14 % of the workers' time idle.\n")) << run.output;
}

TEST(explain, tells_how_a_duel_ends) {
  EXPECT_TRUE(explain("--scene no_claim").output.ends_with("Wrong: A was taken twice.\n"));
  EXPECT_TRUE(
      explain("--scene no_acquire")
          .output.ends_with("Wrong: W was taken, although it had left the deque before.\n"));
  EXPECT_TRUE(explain("--scene thief_wins").output.ends_with("All is well.\n"));
}

TEST(explain, gives_its_story_as_json) {
  const auto story = nlohmann::json::parse(explain("--json --seed 5").output);
  EXPECT_EQ(story["seed"], 5);
  EXPECT_EQ(story["scenes"].size(), 4u);
}

TEST(explain, writes_a_page_that_holds_its_story) {
  const scratch_folder folder;
  const std::string file = folder / "page.html";
  EXPECT_EQ(explain("--html '" + file + "'").output, file + "\n");
  const std::string page = content(file);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_NE(page.find("\"format\":\"filch.explain\""), std::string::npos);
}

TEST(explain, refuses_what_would_have_no_say) {
  for (const char* arguments :
       {"--json --scene loop", "--json --step 2", "--html page.html --scene loop",
        "--html page.html --json", "--html page.html --scheduler static_split",
        "--scene no_claim --scheduler static_split"})
    EXPECT_EQ(run_filch(std::string{"explain "} + arguments).exit_code, 2) << arguments;
}

TEST(explain, says_that_a_page_cannot_be_written) {
  const outcome run = explain("--html /no/such/folder/page.html");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.output,
            "filch: cannot write /no/such/folder/page.html: No such file or directory\n");
}

TEST(explain, plays_on_a_terminal_and_leaves_it_as_it_was) {
  terminal screen{{"explain"}};
  ASSERT_TRUE(screen.shows("step 0 of 106"));
  screen.type("\033[C");
  EXPECT_TRUE(screen.shows("step 1 of 106"));
  screen.type("\033[C\033[C\033[C");
  EXPECT_TRUE(screen.shows("step 4 of 106")) << "keys that come together all count";
  screen.type("\033[F");
  EXPECT_TRUE(screen.shows("step 106 of 106"));
  screen.type("\033[B");
  EXPECT_TRUE(screen.shows("Skewed tree: Static split"));
  screen.type(" ");
  EXPECT_TRUE(screen.shows("step 2 of 83")) << "it plays by itself";
  screen.type("q");
  EXPECT_TRUE(screen.shows("\033[?1049l"));
  EXPECT_EQ(screen.exit_code(), 0);
}

TEST(explain, leaves_the_terminal_as_it_was_when_it_is_ended) {
  terminal screen{{"explain"}};
  ASSERT_TRUE(screen.shows("step 0 of 106"));
  screen.send(SIGTERM);
  EXPECT_TRUE(screen.shows("\033[?1049l"));
  EXPECT_EQ(screen.exit_code(), -1) << "it died of that signal";
}

TEST(explain, has_no_colour_where_somebody_wants_none) {
  const auto first_picture = [](bool has_colour) {
    terminal screen{{"explain", "--step", "20"}, {.has_colour = has_colour}};
    const screen_text shown = on_screen(screen.whole());
    EXPECT_EQ(screen.exit_code(), 0);
    EXPECT_LE(widest_of(shown), 80u);
    return shown;
  };
  EXPECT_TRUE(first_picture(true).has_colour);
  EXPECT_FALSE(first_picture(false).has_colour);
}

}  // namespace
