// Each program with a fault is recorded and its verdict asked for, as a user does; and so is its
// twin without the fault.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tools/cli/program_test.hpp>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <sstream>
#include <vector>

namespace {

using namespace filch::cli;
using filch::base::scratch_folder;

/// What the processors were like while a program ran.
struct surroundings {
  double on_cpu = 0;  ///< Processors that the process had, on average.
  /// How many times as fast the fastest of its equal pieces of work was as the slowest.
  double unevenness = 1;
};

struct judged_run {
  surroundings around;
  nlohmann::json report;  ///< `filch report --json`
  std::string page;       ///< `filch report`

  const nlohmann::json& findings() const { return report["verdict"]["findings"]; }
  /// What a user reads first.
  bool says(const std::string& fault) const {
    return !findings().empty() && findings()[0]["fault"] == fault;
  }
  bool finds(const std::string& fault) const {
    return std::ranges::any_of(findings(),
                               [&](const auto& each) { return each["fault"] == fault; });
  }
};

constexpr int refused = 77;

/// Runs a program on so many workers, recorded into `file`. If the system does not let it,
/// returns nothing and says why.
std::optional<surroundings> record(const std::string& program, const std::string& twin,
                                   unsigned workers, const std::string& file,
                                   std::string& why_not) {
  const std::string printed = file + ".printed";
  const std::string command = fmt::format("FILCH_WORKERS={} FILCH_TRACE='{}' '{}' {} {} > '{}'",
                                          workers, file, FILCH_PLANTED, program, twin, printed);
  const int status = std::system(command.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == refused) {
    why_not = content(printed);
    return {};
  }
  EXPECT_EQ(status, 0) << command;
  surroundings told;
  std::istringstream{content(printed)} >> told.on_cpu >> told.unevenness;
  return told;
}

std::optional<judged_run> judge(const std::string& program, const std::string& twin,
                                std::string& why_not) {
  const scratch_folder scratch;
  const std::string file = scratch / "run.filch", alone = scratch / "alone.filch";
  judged_run made;
  const std::optional<surroundings> around = record(program, twin, 2, file, why_not);
  if (!around) return {};
  made.around = *around;
  std::string arguments = "report " + file;
  if (program == "memory_bound") {
    record(program, twin, 1, alone, why_not);
    arguments += " --alone " + alone;
  }
  made.report = json_of(run_filch(arguments + " --json"));
  made.page = run_filch(arguments).output;
  return made;
}

/// Whether other programs had the processors meanwhile, or other machines: what a hypervisor takes
/// is in no account of this one, but makes some of the equal pieces slower. If that is the fault
/// to be found, the process's own account of its time tells.
bool was_disturbed(const judged_run& run, const std::string& program, const std::string& twin) {
  if (program == "oversubscription") return run.around.on_cpu < 0.97;
  if (program == "throttled") return run.around.on_cpu < (twin == "faulty" ? 0.97 : 1.94);
  return run.report["budget"]["share"]["run_delay"] >= 0.05 || run.around.unevenness >= 1.25;
}

/// By name a program, and the fault of which it has one twin with and one without.
class planted_faults : public testing::TestWithParam<std::string> {
 protected:
  /// Tries a program until its verdict is as it should be. A rule that is wrong is wrong three
  /// times on an undisturbed machine. Other load plants faults of its own, and not all of them show
  /// in the process's own account.
  template <class F>
  void expect(const std::string& twin, F is_right) {
    constexpr int enough = 3, most = 8;
    const std::string& fault = GetParam();
    std::string why_not;
    for (int tries = 0, undisturbed = 0; tries != most; ++tries) {
      const std::optional<judged_run> run = judge(fault, twin, why_not);
      if (!run) GTEST_SKIP() << "this fault cannot be planted here: " << why_not;
      if (std::invoke(is_right, *run, fault)) return;
      if (was_disturbed(*run, fault, twin) || ++undisturbed < enough) continue;
      FAIL() << "what is said of the " << twin << " program of " << fault << ":\n" << run->page;
    }
    GTEST_SKIP() << "others took the processors again and again";
  }
};

TEST_P(planted_faults, are_the_verdict) { expect("faulty", &judged_run::says); }
TEST_P(planted_faults, are_not_named_where_they_are_not) {
  expect("sound",
         [](const judged_run& run, const std::string& fault) { return !run.finds(fault); });
}

INSTANTIATE_TEST_SUITE_P(verdict, planted_faults,
                         testing::Values("too_little_parallelism", "grain_too_fine",
                                         "grain_too_coarse", "long_tail", "blocked_workers",
                                         "lock_convoy", "oversubscription", "throttled",
                                         "memory_bound", "wake_latency", "lost_records"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
