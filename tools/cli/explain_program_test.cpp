// `filch explain` as a user calls it: into a pipe, into a file, and on a terminal.
#include <tools/cli/program_test.hpp>

#include <pty.h>
#include <unistd.h>

#include <array>

namespace {

using namespace filch::cli;
using filch::base::scratch_folder;

/// Its complaints come with its output.
outcome explain(const std::string& arguments) {
  outcome run = run_filch("explain " + arguments);
  run.output += run.errors;
  return run;
}

/// A terminal of 80 by 24 in which the program runs.
class terminal {
 public:
  terminal() {
    const winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    child_ = ::forkpty(&master_, nullptr, nullptr, &size);
    if (child_ != 0) return;
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("COLUMNS");
    ::execl(FILCH_PROGRAM, FILCH_PROGRAM, "explain", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;
  ~terminal() { ::close(master_); }

  void type(std::string_view keys) { EXPECT_EQ(::write(master_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size())); }
  /// Reads on until `text` has appeared since the last call, or the program has ended; says whether it has.
  bool shows(std::string_view text) {
    std::string seen;
    std::array<char, 4096> piece;
    while (seen.find(text) == seen.npos) {
      const ssize_t count = ::read(master_, piece.data(), piece.size());
      if (count <= 0) return false;
      seen.append(piece.data(), static_cast<std::size_t>(count));
    }
    return true;
  }
  int exit_code() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int master_ = -1;
  pid_t child_ = -1;
};

TEST(explain, prints_its_steps_where_there_is_no_terminal) {
  const outcome run = explain("--scene balanced --scheduler static_split");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(run.output.starts_with("Balanced tree, Static split: ")) << run.output;
  EXPECT_NE(run.output.find("\n    0  Worker 1 goes on with task 1.\n"), std::string::npos) << run.output;
  EXPECT_TRUE(run.output.ends_with("\n54 ticks, 14 % of the workers' time idle.\n")) << run.output;
}

TEST(explain, tells_how_a_duel_ends) {
  EXPECT_TRUE(explain("--scene no_claim").output.ends_with("Wrong: A was taken twice.\n"));
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

TEST(explain, says_that_a_page_cannot_be_written) {
  const outcome run = explain("--html /no/such/folder/page.html");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.output, "filch: cannot write /no/such/folder/page.html: No such file or directory\n");
}

TEST(explain, plays_on_a_terminal_and_leaves_it_as_it_was) {
  terminal screen;
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

}  // namespace
