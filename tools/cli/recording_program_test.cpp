// Recordings as a user makes and takes them: FILCH_TRACE, `filch snapshot`, `filch export`.
#include <tools/cli/program_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <set>
#include <thread>
#include <utility>

namespace {

using namespace filch::cli;
using filch::base::scratch_folder;

/// A recording of a short run.
std::string recorded(const scratch_folder& scratch) {
  const std::string file = scratch / "out.filch";
  EXPECT_EQ(
      run_filch("run fib -n 32 --workers 2 --repeat 3 --json", "FILCH_TRACE=" + file).exit_code, 0);
  return file;
}

/// The program, computing and recording until it is killed.
class endless_run {
 public:
  endless_run() : process_{::fork()} {
    if (process_ != 0) return;
    ::setenv("FILCH_TRACE", "/dev/null", 1);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(126);
    ::execl(FILCH_PROGRAM, "filch", "run", "fib", "-n", "30", "--workers", "2", "--repeat",
            "1000000", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ~endless_run() { kill(); }
  endless_run(const endless_run&) = delete;
  endless_run& operator=(const endless_run&) = delete;

  pid_t number() const { return process_; }
  void kill() {
    if (std::exchange(is_alive_, false)) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }

 private:
  const pid_t process_;
  bool is_alive_ = true;
};

TEST(recordings, chrome_json_has_a_slice_for_every_worker_and_both_ends_of_every_arrow) {
  const scratch_folder scratch;
  const std::string file = recorded(scratch);
  const auto all = json_of(run_filch("export " + file + " --chrome"));
  std::map<std::string, std::size_t> phases;
  std::set<int> threads, sliced;
  for (const auto& each : all["traceEvents"]) {
    ++phases[each["ph"]];
    if (each["ph"] == "M" && each["name"] == "thread_name") threads.insert(each["tid"].get<int>());
    if (each["ph"] == "X") {
      sliced.insert(each["tid"].get<int>());
      EXPECT_GT(each["dur"].get<double>(), 0);
    }
  }
  EXPECT_GE(threads.size(), 2u);
  EXPECT_TRUE(std::ranges::includes(threads, sliced));
  EXPECT_GE(sliced.size(), 2u);
  std::size_t steals = 0;
  const std::string lines = run_filch("export " + file + " --csv").output;
  for (std::size_t at = 0; (at = lines.find(",steals_won,", at)) != lines.npos; ++at) ++steals;
  EXPECT_EQ(phases["s"], steals);
  EXPECT_EQ(phases["s"], phases["f"]);
}

TEST(recordings, csv_has_as_many_fields_in_every_line_and_ascends) {
  const scratch_folder scratch;
  const outcome run = run_filch("export " + recorded(scratch) + " --csv");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  std::istringstream lines{run.output};
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "time_ns,pool,worker,event,activity,ready,slot,other,amount,site");
  long long latest = 0;
  std::size_t count = 0;
  for (; std::getline(lines, line); ++count) {
    const std::string before_site = line.substr(0, line.find('"'));
    EXPECT_GE(std::ranges::count(before_site, ','), 9) << line;
    const long long at = std::stoll(line);
    EXPECT_GE(at, latest);
    latest = at;
  }
  EXPECT_GT(count, 10u);
}

TEST(recordings, folded_lines_end_in_a_number_and_perfetto_goes_to_a_file) {
  const scratch_folder scratch;
  const std::string file = recorded(scratch);
  const outcome folded = run_filch("export " + file + " --folded");
  std::istringstream lines{folded.output};
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("filch;pool 0 worker ")) << line;
    EXPECT_GT(std::stoll(line.substr(line.rfind(' '))), 0) << line;
  }
  EXPECT_NE(folded.output.find(";working"), std::string::npos) << folded.output;
  const fs::path trace = scratch / "out.pftrace";
  EXPECT_EQ(run_filch("export " + file + " --perfetto -o " + trace.string()).exit_code, 0);
  EXPECT_EQ(content(trace).substr(0, 1), "\x0a") << "a packet comes first";
}

TEST(recordings, a_format_must_be_chosen_and_the_file_must_be_one) {
  const scratch_folder scratch;
  EXPECT_EQ(run_filch("export " + recorded(scratch)).exit_code, 2);
  std::ofstream{scratch / "text"} << "hello";
  const outcome run = run_filch("export --csv " + (scratch / "text").string());
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.errors.find("is no recording of filch's"), std::string::npos) << run.errors;
}

TEST(recordings, a_snapshot_of_a_running_process_and_of_the_same_one_killed) {
  const scratch_folder scratch;
  endless_run running;
  const std::string number = std::to_string(running.number());
  const std::string file = scratch / "now.filch";
  nlohmann::json alive;
  for (int tries = 0; tries < 100 && (alive.empty() || alive["events"] < 20); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const outcome run = run_filch("snapshot " + number + " --json -o " + file);
    if (run.exit_code == 0) alive = nlohmann::json::parse(run.output);
  }
  ASSERT_FALSE(alive.empty());
  EXPECT_EQ(alive["alive"], true);
  EXPECT_GE(alive["events"], 20);
  running.kill();
  const auto dead = json_of(run_filch("snapshot " + number + " --json --remove -o " + file));
  EXPECT_EQ(dead["alive"], false);
  // Each one's run delay up to now, while it lives
  const auto told_by_the_reader = alive["workers"].get<int>();
  EXPECT_GE(dead["events"].get<int>(), alive["events"].get<int>() - told_by_the_reader)
      << "nothing is lost by the kill";
  EXPECT_EQ(run_filch("export --csv " + file).exit_code, 0);
  const outcome gone = run_filch("snapshot " + number);
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_NE(gone.errors.find("has left no recording"), std::string::npos) << gone.errors;
}

TEST(recordings, processes_that_record_are_listed) {
  const endless_run running;
  nlohmann::json found;
  for (int tries = 0; tries < 100 && found.empty(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (const auto& each : json_of(run_filch("snapshot --json"))) {
      if (each["process"] == running.number() && each["state"] == "runs") found = each;
    }
  }
  ASSERT_FALSE(found.empty());
  ::unlink(("/dev/shm/filch." + std::to_string(running.number())).c_str());
}

}  // namespace
