// Runs `filch scale` as a user does, which runs `filch-scale`.
#include <tools/cli/program_test.hpp>

namespace {

using namespace filch::cli;

TEST(scale_program, prints_the_same_bytes_twice) {
  const outcome first = run_filch("scale fib --size 20 --workers 1,2,16 --json");
  const outcome second = run_filch("scale fib --size 20 --workers 1,2,16 --json", "FILCH_X=12345");
  EXPECT_EQ(first.exit_code, 0) << first.errors;
  EXPECT_EQ(first.output, second.output);
  const auto points = json_of(first)["points"];
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[2]["workers"], 16);
  EXPECT_GT(points[1]["speed_up"], 1.0);
}

TEST(scale_program, names_hot_words_if_it_finds_the_sources) {
  const std::string asked = "scale fib --size 20 --workers 1,8 --sources ";
  const outcome named = run_filch(asked + FILCH_SOURCES);
  EXPECT_NE(named.output.find("fork_stack::public_"), std::string::npos) << named.output;
  const outcome unnamed = run_filch(asked + "/nowhere");
  EXPECT_EQ(unnamed.output.find("fork_stack::public_"), std::string::npos);
  EXPECT_NE(unnamed.output.find("filch/queue/fork_stack.hpp:"), std::string::npos);
  for (const outcome& each : {named, unnamed}) {
    EXPECT_NE(each.output.find("This is a simulation of"), std::string::npos);
    EXPECT_EQ(each.output.find('\033'), std::string::npos) << "color in a file";
  }
}

TEST(scale_program, says_what_it_does_not_know) {
  const outcome work = run_filch("scale fibb");
  EXPECT_EQ(work.exit_code, 2);
  EXPECT_NE(work.errors.find("nqueens"), std::string::npos) << work.errors;
  EXPECT_EQ(run_filch("scale").exit_code, 2);
  EXPECT_EQ(run_filch("scale fib --machine nowhere").exit_code, 2);
  EXPECT_EQ(run_filch("scale fib --workers 0").exit_code, 2);
  const outcome wrong = run_filch("scale spawn --size 7 --workers 1");
  EXPECT_EQ(wrong.exit_code, 1);
}

TEST(scale_program, lists_what_it_runs) {
  const outcome list = run_filch("scale --list");
  EXPECT_EQ(list.exit_code, 0);
  for (const char* name : {"fib", "uts", "submit-16", "tree-asleep"})
    EXPECT_NE(list.output.find(name), std::string::npos) << name;
}

TEST(scale_program, writes_a_page) {
  const filch::base::scratch_folder folder;
  const auto page = folder / "scale.html";
  EXPECT_EQ(run_filch("scale fib --size 15 --workers 1,2 --html " + page.string()).exit_code, 0);
  const std::string text = content(page);
  EXPECT_NE(text.find("\"format\":\"filch-scale\""), std::string::npos);
}

TEST(scale_program, compares_with_real_runs) {
  const auto report =
      json_of(run_filch("scale fib --validate --rounds 1 --workers 1 --machine here-2 --json"));
  ASSERT_EQ(report["rows"].size(), 1u);
  EXPECT_GT(report["rows"][0]["measured_ns"], 0.0);
  EXPECT_GT(report["rows"][0]["predicted_ns"], 0.0);
  EXPECT_GT(report["rows"][0]["node_ns"], 0.0);
}

}  // namespace
