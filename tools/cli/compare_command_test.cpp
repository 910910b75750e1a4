#include <gtest/gtest.h>

#include <compare/rivals.hpp>
#include <nlohmann/json.hpp>
#include <tools/cli/commands.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace filch::cli {
namespace {

struct outcome {
  int exit_code = -1;
  std::string output;
  std::string complaint;  ///< Of the parser.
};

outcome compare(const std::string& arguments) {
  CLI::App app{"", "filch"};
  outcome result;
  add_compare_command(app, result.exit_code);
  testing::internal::CaptureStdout();
  try {
    app.parse("compare " + arguments);
  } catch (const CLI::ParseError& refused) {
    result.complaint = refused.what();
  }
  result.output = testing::internal::GetCapturedStdout();
  return result;
}

TEST(compare_command, json_has_a_verified_row_for_every_scheduler) {
  const outcome run = compare("fib --size 20 --no-cutoff --workers 2 --repeat 2 --json");
  ASSERT_EQ(run.exit_code, all_well);
  const auto report = nlohmann::json::parse(run.output);
  EXPECT_EQ(report["workload"], "fib 20");
  EXPECT_EQ(report["workers"], 2);
  EXPECT_EQ(report["serial"]["verified"], true);
  EXPECT_EQ(report["schedulers"].size(), filch::compare::contenders().size());
  for (const auto& row : report["schedulers"]) {
    EXPECT_EQ(row["verified"], true) << row;
    EXPECT_EQ(row["jobs"], 21891) << row << ": 2 fib(21) - 1";
    EXPECT_EQ(row["all_seconds"].size(), 2u) << row;
  }
}

TEST(compare_command, the_table_begins_with_serial_and_has_no_escape_codes_in_a_pipe) {
  const outcome run = compare("sum --size 20000 --workers 2 --repeat 1");
  ASSERT_EQ(run.exit_code, all_well);
  EXPECT_EQ(run.output.find('\033'), run.output.npos);
  const std::size_t serial = run.output.find("\n  serial ");
  ASSERT_NE(serial, run.output.npos) << run.output;
  for (const filch::compare::contender& who : filch::compare::contenders()) {
    const std::size_t row = run.output.find("\n  " + std::string{who.name} + " ");
    ASSERT_NE(row, run.output.npos) << who.name << " is missing in\n" << run.output;
    EXPECT_GT(row, serial);
  }
}

TEST(compare_command, lines_fit_eighty_columns) {
  const outcome run = compare("nqueens --size 9 --no-cutoff --workers 3 --repeat 1");
  ASSERT_EQ(run.exit_code, all_well);
  std::size_t start = 0;
  for (std::size_t end; (end = run.output.find('\n', start)) != run.output.npos; start = end + 1) {
    const std::string line = run.output.substr(start, end - start);
    const auto columns = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
    EXPECT_LE(columns, 80) << line;
  }
}

TEST(compare_command, nonsense_is_refused_and_named) {
  EXPECT_NE(compare("utz").complaint.find("utz"), std::string::npos);
  EXPECT_NE(compare("uts --size T9").complaint.find("T9"), std::string::npos);
  EXPECT_NE(compare("fib --workers 0").complaint.find("--workers"), std::string::npos);
  EXPECT_NE(compare("fib --workers 100000").complaint.find("100000"), std::string::npos);
  EXPECT_NE(compare("fib --repeat 0").complaint.find("--repeat"), std::string::npos);
  EXPECT_NE(compare("").complaint.find("WORKLOAD"), std::string::npos);
}

}  // namespace
}  // namespace filch::cli
