// Each program with a fault is recorded and its verdict asked for, as a user does; and so is its
// twin without the fault.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tools/cli/program_test.hpp>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
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

/// A program, its twin, and on how many workers it runs.
struct planted_run {
  std::string program, twin;
  unsigned workers = 2;
};

/// The fault that a program has; most are called as it is.
std::string fault_of(const std::string& program) {
  if (program == "forks_too_small") return "grain_too_fine";
  if (program == "lock_in_part") return "lock_convoy";
  if (program == "brief_lock") return "memory_bound";
  return program;
}

/// Whether only a run on one worker beside it shows the fault.
bool needs_lone_run(const std::string& program) {
  return program == "memory_bound" || program == "lock_in_part" || program == "brief_lock";
}

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

/// Runs a program, recorded into `file`. If the system does not let it, returns nothing and says
/// why.
std::optional<surroundings> record(const planted_run& run, const std::string& file,
                                   std::string& why_not) {
  const std::string printed = file + ".printed";
  const std::string command =
      fmt::format("FILCH_WORKERS={} FILCH_TRACE='{}' '{}' {} {} > '{}'", run.workers, file,
                  FILCH_PLANTED, run.program, run.twin, printed);
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

std::optional<judged_run> judge(const planted_run& run, std::string& why_not) {
  const scratch_folder scratch;
  const std::string file = scratch / "run.filch", alone = scratch / "alone.filch";
  judged_run made;
  const std::optional<surroundings> around = record(run, file, why_not);
  if (!around) return {};
  made.around = *around;
  std::string arguments = "report " + file;
  if (needs_lone_run(run.program)) {
    record({run.program, run.twin, 1}, alone, why_not);
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

/// Tries a program until its verdict is as it should be. A rule that is wrong is wrong three times
/// on an undisturbed machine. Other load plants faults of its own, and not all of them show in the
/// process's own account.
template <class F>
void expect(const planted_run& tried, F is_right) {
  constexpr int enough = 3, most = 8;
  const std::string fault = fault_of(tried.program);
  std::string why_not;
  for (int tries = 0, undisturbed = 0; tries != most; ++tries) {
    const std::optional<judged_run> run = judge(tried, why_not);
    if (!run) GTEST_SKIP() << "this fault cannot be planted here: " << why_not;
    if (std::invoke(is_right, *run, fault)) return;
    if (was_disturbed(*run, tried.program, tried.twin) || ++undisturbed < enough) continue;
    FAIL() << "what is said of the " << tried.twin << " program of " << tried.program << ":\n"
           << run->page;
  }
  GTEST_SKIP() << "others took the processors again and again";
}

bool does_not_find(const judged_run& run, const std::string& fault) { return !run.finds(fault); }

/// By name a program with one twin that has a fault and one that has not.
class planted_faults : public testing::TestWithParam<std::string> {};

TEST_P(planted_faults, are_the_verdict) { expect({GetParam(), "faulty"}, &judged_run::says); }
TEST_P(planted_faults, are_not_named_where_they_are_not) {
  expect({GetParam(), "sound"}, does_not_find);
}

INSTANTIATE_TEST_SUITE_P(verdict, planted_faults,
                         testing::Values("too_little_parallelism", "grain_too_fine",
                                         "forks_too_small", "grain_too_coarse", "long_tail",
                                         "blocked_workers", "lock_convoy", "lock_in_part",
                                         "brief_lock", "oversubscription", "throttled",
                                         "memory_bound", "wake_latency", "lost_records"),
                         [](const auto& tested) { return tested.param; });

/// The workers on which a fault shows: others have nobody to wait for.
std::vector<unsigned> workers_of(const std::string& program) {
  if (program == "forks_too_small" || program == "blocked_workers") return {1, 2, 4};
  if (program == "oversubscription" || program == "throttled" || program == "wake_latency")
    return {2};  // their pools have two workers, whatever is asked for
  return {2, 4};
}

/// A process that computes all the time, at ordinary priority.
class busy_neighbour {
 public:
  busy_neighbour() : process_{::fork()} {
    if (process_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive a test that is killed
    for (;;) asm volatile("");
  }
  ~busy_neighbour() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  busy_neighbour(const busy_neighbour&) = delete;
  busy_neighbour& operator=(const busy_neighbour&) = delete;

 private:
  const pid_t process_;
};

/// How many of 20 runs are judged rightly; FILCH_LONG only.
void expect_of_twenty(const std::string& program, const std::string& twin) {
  constexpr int runs = 20;
  for (const unsigned workers : workers_of(program)) {
    int right = 0, undisturbed_and_wrong = 0;
    std::string why_not, page;
    for (int i = 0; i != runs; ++i) {
      const std::optional<judged_run> run = judge({program, twin, workers}, why_not);
      if (!run) GTEST_SKIP() << "this fault cannot be planted here: " << why_not;
      const std::string fault = fault_of(program);
      const bool is_right = twin == "faulty" ? run->says(fault) : !run->finds(fault);
      right += is_right;
      if (is_right) continue;
      undisturbed_and_wrong += !was_disturbed(*run, program, twin);
      page = run->page;
    }
    std::printf("%s %s on %u workers: %d of %d\n", twin.c_str(), program.c_str(), workers, right,
                runs);
    EXPECT_EQ(undisturbed_and_wrong, 0) << page;
  }
}

class twenty_runs : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (std::getenv("FILCH_LONG") == nullptr) GTEST_SKIP() << "for ./test --long";
  }
};

TEST_P(twenty_runs, alone) {
  expect_of_twenty(GetParam(), "faulty");
  expect_of_twenty(GetParam(), "sound");
}
TEST_P(twenty_runs, beside_a_busy_process) {
  const busy_neighbour beside;
  expect_of_twenty(GetParam(), "faulty");
  expect_of_twenty(GetParam(), "sound");
}

INSTANTIATE_TEST_SUITE_P(verdict, twenty_runs,
                         testing::Values("too_little_parallelism", "grain_too_fine",
                                         "forks_too_small", "grain_too_coarse", "long_tail",
                                         "blocked_workers", "lock_convoy", "lock_in_part",
                                         "brief_lock", "oversubscription", "throttled",
                                         "memory_bound", "wake_latency", "lost_records"),
                         [](const auto& tested) { return tested.param; });

// What a fault of small jobs is made worse by.
TEST(advice, is_never_to_fork_smaller_jobs_if_they_are_too_small) {
  std::string why_not;
  for (int tries = 0; tries != 4; ++tries) {
    const auto run = judge({"forks_too_small", "faulty"}, why_not);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->page.find("Fork smaller"), std::string::npos) << run->page;
    EXPECT_EQ(run->page.find("memory"), std::string::npos) << run->page;
  }
}

TEST(advice, beside_a_watched_run_is_not_to_touch_less_memory_if_jobs_are_too_small) {
  const scratch_folder scratch;
  const std::string file = scratch / "run.filch", alone = scratch / "alone.filch";
  std::string why_not;
  record({"forks_too_small", "faulty"}, file, why_not);
  record({"forks_too_small", "faulty", 1}, alone + ":span", why_not);
  const std::string page = run_filch("report " + file + " --alone " + alone).output;
  EXPECT_NE(page.find("Jobs are too small: forking takes "), page.npos) << page;
  EXPECT_EQ(page.find("memory"), page.npos) << page;
}

// One recording cannot tell. It says so, and the commands that it prints do tell.
TEST(advice, for_work_that_may_have_grown_is_the_commands_that_show_it) {
  const scratch_folder scratch;
  const std::string file = scratch / "run.filch";
  std::string why_not;
  for (int tries = 0; tries != 5; ++tries) {
    ASSERT_TRUE(record({"memory_bound", "faulty"}, file, why_not));
    const auto first = json_of(run_filch("report " + file + " --json"))["verdict"];
    ASSERT_EQ(first["commands"].size(), 2u) << first;
    ASSERT_EQ(std::system((first["commands"][0].get<std::string>() + " > /dev/null").c_str()), 0);
    std::string compare = first["commands"][1];
    ASSERT_TRUE(compare.starts_with("filch report "));
    const outcome said = run_filch(compare.substr(6));
    if (said.output.find("they compete for") != std::string::npos) return;
    if (tries == 4) FAIL() << said.output;
  }
}

// No rule names them; the report says how much time the kernel had, and where else to look.
TEST(advice, says_what_a_recording_does_not_show) {
  std::string why_not;
  const auto faulty = judge({"page_faults", "faulty", 1}, why_not);
  ASSERT_TRUE(faulty);
  EXPECT_NE(faulty->page.find("\n  kernel  "), std::string::npos) << faulty->page;
  EXPECT_NE(faulty->page.find("does not show page faults"), std::string::npos) << faulty->page;
  const auto sound = judge({"forks_too_small", "sound", 1}, why_not);
  ASSERT_TRUE(sound);
  EXPECT_EQ(sound->page.find("\n  kernel  "), std::string::npos) << sound->page;
}

/// A program that runs until it is killed.
class running_program {
 public:
  running_program(const std::string& program, const std::string& twin) : process_{::fork()} {
    if (process_ != 0) return;
    ::setenv("FILCH_TRACE", "/dev/null", 1);
    ::setenv("PLANTED_AMONG_OTHERS", "1", 1);  // else the sound twin leaves no processor to anyone
    ::execl(FILCH_PLANTED, FILCH_PLANTED, program.c_str(), twin.c_str(), nullptr);
    ::_exit(127);
  }
  ~running_program() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    ::unlink(("/dev/shm/filch." + std::to_string(process_)).c_str());
  }
  running_program(const running_program&) = delete;
  running_program& operator=(const running_program&) = delete;

  /// What `top` says of it once two workers work, as far as they say themselves.
  nlohmann::json top() const {
    for (;;) {
      const outcome said =
          run_filch("top " + std::to_string(process_) + " --count 1 --interval 0.5 --json");
      if (said.exit_code == 0) {
        auto frame = nlohmann::json::parse(said.output);
        if (frame["workers"].size() >= 2) return frame;
      }
      ::usleep(50'000);
    }
  }

 private:
  const pid_t process_;
};

TEST(top, says_of_a_deadlock_that_its_workers_sleep_and_in_what) {
  const auto frame = running_program{"deadlock", "faulty"}.top();
  EXPECT_LT(frame["total"]["share"]["working"].get<double>(), 0.1) << frame;
  const std::string verdict = frame["verdict"];
  EXPECT_TRUE(verdict.starts_with("Jobs sleep in the kernel and keep their slots: ")) << verdict;
  EXPECT_NE(verdict.find("futex"), std::string::npos) << verdict;
}

TEST(top, says_of_jobs_that_compute_that_they_work) {
  const auto frame = running_program{"deadlock", "sound"}.top();
  EXPECT_GT(frame["total"]["share"]["working"].get<double>(), 0.5) << frame;
  EXPECT_EQ(frame["verdict"].get<std::string>().find("sleep"), std::string::npos) << frame;
}

}  // namespace
