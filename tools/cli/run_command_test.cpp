#include <gtest/gtest.h>
#include <tools/cli/commands.hpp>
#include <tools/cli/workloads/workload.hpp>

namespace {

using namespace filch::cli;

/// Solves nothing, and gives the verdict it is told to.
class pretender : public workload {
 public:
  void add_options(CLI::App& command) override { command.add_option("--verdict", verdict_); }
  std::string size() const override { return "of no size"; }
  void prepare() override { ++prepared_; }
  void solve() override {}
  std::string check() const override { return verdict_; }
  const char* checked_against() const override { return "itself"; }
  summary summarise() const override { return {"done", {{"prepared", prepared_}}}; }
  std::string write_file() const override { return "a.file"; }

 private:
  std::string verdict_;
  int prepared_ = 0;
};

struct outcome {
  int exit_code;
  std::string output;
};

outcome run_pretender(std::vector<std::string> arguments) {
  CLI::App app;
  outcome result{-1, ""};
  add_workload_command(app,
                       {"pretend", "", [] { return std::unique_ptr<workload>{new pretender}; }},
                       result.exit_code);
  arguments.insert(arguments.begin(), "pretend");
  std::ranges::reverse(arguments);  // as the parser wants them
  testing::internal::CaptureStdout();
  app.parse(std::move(arguments));
  result.output = testing::internal::GetCapturedStdout();
  return result;
}

TEST(run_command, a_right_result_is_reported_and_written) {
  const outcome run = run_pretender({"--workers", "1", "--repeat", "2"});
  EXPECT_EQ(run.exit_code, all_well);
  EXPECT_TRUE(run.output.starts_with(
      "pretend of no size\n  result     done\n  check      agrees with itself\n"))
      << run.output;
  EXPECT_NE(run.output.find("median of 2"), run.output.npos);
  EXPECT_NE(run.output.find("a.file"), run.output.npos);
}

TEST(run_command, a_wrong_result_fails_and_is_not_written) {
  const outcome run = run_pretender({"--workers", "1", "--verdict", "2 is not 3"});
  EXPECT_EQ(run.exit_code, went_wrong);
  EXPECT_NE(run.output.find("WRONG: 2 is not 3"), run.output.npos);
  EXPECT_EQ(run.output.find("a.file"), run.output.npos);
}

TEST(run_command, a_wrong_result_fails_as_json_too) {
  const outcome run = run_pretender({"--workers", "1", "--json", "--verdict", "2 is not 3"});
  EXPECT_EQ(run.exit_code, went_wrong);
  const nlohmann::json report = nlohmann::json::parse(run.output);
  EXPECT_EQ(report["verified"], false);
  EXPECT_EQ(report["wrong"], "2 is not 3");
  EXPECT_EQ(report["result"]["prepared"], 1) << "nothing is run again after a wrong result";
}

}  // namespace
