#include <compare/rivals.hpp>
#include <compare/workload.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace filch::compare {
namespace {

std::string complaint(const std::string& name, const std::string& size) {
  try {
    make_workload(name, size, cutoff::natural);
  } catch (const std::invalid_argument& wrong) {
    return wrong.what();
  }
  return "none";
}

TEST(workload, a_wrong_name_or_size_is_named_in_the_complaint) {
  EXPECT_EQ(complaint("utz", ""),
            "no workload 'utz': choose one of uts, fib, nqueens, sum, duplicates");
  EXPECT_EQ(complaint("fib", "many"), "fib: the size is a number from 0 to 60, not 'many'");
  EXPECT_EQ(complaint("fib", "61"), "fib: the size is a number from 0 to 60, not '61'");
  EXPECT_EQ(complaint("nqueens", "0"), "nqueens: the size is a number from 1 to 18, not '0'");
  EXPECT_EQ(complaint("sum", "-1"), "sum: the size is a number from 0 to 10000000000, not '-1'");
  EXPECT_EQ(complaint("duplicates", "/no/such"), "duplicates: '/no/such' is not a folder");
  EXPECT_NE(complaint("uts", "T9").find("T9"), std::string::npos);
  EXPECT_EQ(complaint("uts", "T3"), "none");
}

TEST(workload, every_workload_is_solved_by_plain_recursion_and_by_a_scheduler) {
  const auto where = make_mutex_deques(2);
  const std::pair<const char*, const char*> sizes[] = {
      {"fib", "24"}, {"nqueens", "8"}, {"sum", "12345"}, {"sum", "0"}, {"duplicates", "."}};
  for (const cutoff leaves : {cutoff::natural, cutoff::none}) {
    for (const auto& [name, size] : sizes) {
      const workload made = make_workload(name, size, leaves);
      EXPECT_EQ(made.run_serial()(), "") << made.title;
      EXPECT_EQ(made.run_on(*where)(), "") << made.title;
    }
  }
}

TEST(workload, no_cutoff_means_a_job_for_every_call) {
  const auto where = make_one_worker_gets_all(1);
  make_workload("fib", "10", cutoff::none).run_on(*where);
  EXPECT_EQ(where->tallies()[0].jobs_run, 177u);  // 2 fib(11) - 1
}

}  // namespace
}  // namespace filch::compare
