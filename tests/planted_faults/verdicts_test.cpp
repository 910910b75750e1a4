// Each program with a fault is recorded and its verdict asked for, as a user does; and so is its twin without the fault.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tools/cli/program_test.hpp>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace {

using namespace filch::cli;
using filch::base::scratch_folder;

struct judged_run {
  double on_cpu = 0;      ///< Processors that the process had, on average.
  nlohmann::json report;  ///< `filch report --json`
  std::string page;       ///< `filch report`

  bool finds(const std::string& fault) const {
    const auto& findings = report["verdict"]["findings"];
    return std::ranges::any_of(findings, [&](const auto& each) { return each["fault"] == fault; });
  }
};

constexpr int refused = 77;

/// Runs a program on so many workers, recorded into `file`. Returns what it prints; nothing where the system does not let it.
std::optional<double> record(const std::string& fault, const std::string& twin, unsigned workers, const std::string& file) {
  const std::string printed = file + ".printed";
  const std::string command =
      fmt::format("FILCH_WORKERS={} FILCH_TRACE='{}' '{}' {} {} > '{}'", workers, file, FILCH_PLANTED, fault, twin, printed);
  const int status = std::system(command.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == refused) return {};
  EXPECT_EQ(status, 0) << command;
  return std::stod(content(printed));
}

std::optional<judged_run> judge(const std::string& fault, const std::string& twin) {
  const scratch_folder scratch;
  const std::string file = scratch / "run.filch", alone = scratch / "alone.filch";
  judged_run made;
  const std::optional<double> on_cpu = record(fault, twin, 2, file);
  if (!on_cpu) return {};
  made.on_cpu = *on_cpu;
  std::string arguments = "report " + file;
  if (fault == "memory_bound") {
    record(fault, twin, 1, alone);
    arguments += " --alone " + alone;
  }
  made.report = json_of(run_filch(arguments + " --json"));
  made.page = run_filch(arguments).output;
  return made;
}

/// Whether other programs had the processors meanwhile. Where that is the fault to be found, the process's own account of its time tells.
bool was_disturbed(const judged_run& run, const std::string& fault) {
  if (fault == "oversubscription") return run.on_cpu < 0.97;
  return run.report["budget"]["share"]["run_delay"] >= 0.05;
}

class planted_faults : public testing::TestWithParam<const char*> {
 protected:
  /// Tries a program until its verdict is as it should be, at most three times: a machine that others use plants faults of its own, and
  /// not all of them show in the process's own account. What is systematically wrong is wrong three times.
  void expect_verdict(const std::string& twin, bool names_fault) {
    const std::string fault = GetParam();
    bool was_alone = false;
    for (int tries = 1;; ++tries) {
      const std::optional<judged_run> run = judge(fault, twin);
      if (!run) GTEST_SKIP() << "this fault cannot be planted without the right to a real-time priority";
      if (run->finds(fault) == names_fault) return;
      was_alone = was_alone || !was_disturbed(*run, fault);
      if (tries < 3) continue;
      if (!was_alone) GTEST_SKIP() << "other programs took the processors three times:\n" << run->page;
      FAIL() << "the " << twin << " program " << (names_fault ? "does not show " : "shows ") << fault << ":\n" << run->page;
    }
  }
};

TEST_P(planted_faults, are_named) { expect_verdict("faulty", true); }
TEST_P(planted_faults, are_not_named_where_they_are_not) { expect_verdict("sound", false); }

INSTANTIATE_TEST_SUITE_P(verdict, planted_faults,
                         testing::Values("too_little_parallelism", "grain_too_fine", "grain_too_coarse", "long_tail",
                                         "blocked_workers", "lock_convoy", "oversubscription", "memory_bound", "wake_latency",
                                         "lost_records"),
                         [](const auto& tested) { return std::string{tested.param}; });

}  // namespace
