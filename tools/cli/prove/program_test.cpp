// `filch prove`, but for claims about time: a test does not know what else the machine runs.
#include <tools/cli/program_test.hpp>

namespace {

using namespace filch::cli;

TEST(prove_program, shows_what_does_not_go_by_the_clock) {
  const nlohmann::json shown = json_of(run_filch("prove waits callers exceptions limits --json"));
  ASSERT_EQ(shown.size(), 4u);
  for (const auto& each : shown) {
    EXPECT_EQ(each["holds"], true) << each;
    EXPECT_EQ(each["by_the_clock"], false) << each;
  }
  EXPECT_EQ(shown[0]["name"], "waits");
}

TEST(prove_program, explores_the_deque_that_ships) {
  if (!fs::exists(fs::path{FILCH_PROGRAM}.parent_path() / "filch-deque-trial"))
    GTEST_SKIP() << "the explorer is not built with sanitizers";
  const nlohmann::json shown = json_of(run_filch("prove orders --json"));
  EXPECT_EQ(shown[0]["holds"], true) << shown;
  EXPECT_NE(shown[0]["shown"].get<std::string>().find("last_item breaks in execution"),
            std::string::npos)
      << shown;
}

TEST(prove_program, says_in_80_columns_what_was_tried) {
  const outcome run = run_filch("prove limits");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.output.find("gone   limits of containers ignored\n"), 0u) << run.output;
  EXPECT_NE(run.output.find("It holds.\n"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find_first_of("\033\r"), std::string::npos) << run.output;
  std::istringstream lines{run.output};
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(prove_program, refuses_what_it_does_not_know) {
  const outcome run = run_filch("prove everything");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.errors.find("everything"), std::string::npos) << run.errors;
}

}  // namespace
