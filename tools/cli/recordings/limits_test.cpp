#include <filch/span/faulty_runs_test.hpp>
#include <gtest/gtest.h>
#include <tools/cli/recordings/limits.hpp>

namespace {

using namespace filch::cli;

std::string complaint_about(std::string_view text) {
  try {
    parse_limit(text, bound::at_most);
    return "";
  } catch (const bad_limit& wrong) {
    return wrong.what();
  }
}

TEST(limits, are_a_name_a_number_and_a_unit) {
  EXPECT_DOUBLE_EQ(parse_limit("starved=10%", bound::at_most).value, 0.1);
  EXPECT_DOUBLE_EQ(parse_limit("starved=0.25", bound::at_most).value, 0.25);
  EXPECT_DOUBLE_EQ(parse_limit("parallelism=16", bound::at_least).value, 16);
  EXPECT_DOUBLE_EQ(parse_limit("median_job=20us", bound::at_least).value, 20'000);
  EXPECT_DOUBLE_EQ(parse_limit("length=1.5s", bound::at_most).value, 1.5e9);
  EXPECT_EQ(parse_limit("run_delay=1%", bound::at_most).what->name, "run_delay");
}

TEST(limits, say_what_was_wrong_with_them) {
  EXPECT_NE(complaint_about("starved").find("want name=value"), std::string::npos);
  EXPECT_NE(
      complaint_about("starvd=1%").find("nothing called 'starvd' is measured; there are working, "),
      std::string::npos);
  for (const char* text :
       {"starved=", "starved=%", "starved=ten", "starved=10ms", "starved=-1", "starved=nan",
        "starved=inf", "starved=1%%", "parallelism=16%", "median_job=20", "median_job=20 us"}) {
    EXPECT_NE(complaint_about(text).find(" is a"), std::string::npos)
        << text << ": " << complaint_about(text);
  }
}

TEST(limits, keep_a_value_that_reaches_them) {
  const limit most = parse_limit("starved=10%", bound::at_most),
              least = parse_limit("parallelism=2", bound::at_least);
  EXPECT_TRUE(most.is_kept_by(0.1));
  EXPECT_FALSE(most.is_kept_by(0.11));
  EXPECT_TRUE(least.is_kept_by(2));
  EXPECT_FALSE(least.is_kept_by(1.9));
}

TEST(limits, read_what_they_are_called) {
  auto recorded = filch::span::runs::jobs_and_a_last_one(250'000);
  const auto seen = filch::span::observe(recorded, 0);
  const auto found = [&](std::string_view text) {
    const limit l = parse_limit(text, bound::at_most);
    return l.what->read({seen, recorded.analyzed}, l.what->index);
  };
  EXPECT_DOUBLE_EQ(found("starved=0"), seen.spent.share(filch::span::use::starved));
  EXPECT_DOUBLE_EQ(found("parallelism=0"), seen.spent.parallelism());
  EXPECT_DOUBLE_EQ(found("median_job=0s"), 10'000);
  EXPECT_DOUBLE_EQ(found("longest_job=0s"), 200'000);
  EXPECT_DOUBLE_EQ(found("length=0s"), 250'000);
  filch::analysis::result& watched = recorded.analyzed.emplace();
  watched.work_ns = 800;
  watched.span_ns = 100;
  watched.burdened_span_ns = 200;
  watched.fork_overhead_ns = 80;
  EXPECT_DOUBLE_EQ(found("parallelism=0"), 8) << "where it was watched, that of the program";
  EXPECT_DOUBLE_EQ(found("burdened=0"), 4);
  EXPECT_DOUBLE_EQ(found("work=0s"), 800);
  EXPECT_DOUBLE_EQ(found("span=0s"), 100);
  EXPECT_DOUBLE_EQ(found("fork_cost=0"), 0.1);
}

}  // namespace
