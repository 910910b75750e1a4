// `filch metrics` and `filch top` as a user runs them, on a process that computes and records.
#include <fcntl.h>
#include <filch/fork.hpp>
#include <filch/trace.hpp>
#include <filch/trace/layout.hpp>
#include <tools/cli/terminal_test.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <latch>
#include <thread>
#include <utility>

namespace {

using namespace filch::cli;
using filch::base::scratch_folder;

/// The program with `arguments`, until it ends or is killed. Its output goes to a file.
class background {
 public:
  background(const std::vector<std::string>& arguments, const fs::path& output,
             const char* trace = nullptr)
      : process_{::fork()} {
    if (process_ != 0) return;
    if (trace != nullptr) ::setenv("FILCH_TRACE", trace, 1);
    if (std::freopen(output.c_str(), "w", stdout) == nullptr) ::_exit(126);
    std::vector<char*> pointers;
    for (const std::string& each : arguments) pointers.push_back(const_cast<char*>(each.c_str()));
    pointers.push_back(nullptr);
    ::execv(FILCH_PROGRAM, pointers.data());
    ::_exit(127);
  }
  ~background() { end(SIGKILL); }
  background(const background&) = delete;
  background& operator=(const background&) = delete;

  std::string number() const { return std::to_string(number_); }
  int wait() {
    int status = 0;
    if (process_ > 0) ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  /// The same, or -1 if it has not ended by then.
  int wait_for(std::chrono::seconds most) {
    siginfo_t ended{};
    for (const auto until = std::chrono::steady_clock::now() + most;
         std::chrono::steady_clock::now() < until;) {
      if (::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
          ended.si_pid != 0)
        return wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return -1;
  }
  int end(int signal) {
    if (process_ > 0) ::kill(process_, signal);
    return wait();
  }

 private:
  pid_t process_;
  const pid_t number_ = process_;
};

/// A run that computes until it is killed; recording, unless `trace` is null.
class endless_run : public background {
 public:
  explicit endless_run(const char* trace = "/dev/null")
      : background({"filch", "run", "fib", "-n", "27", "--workers", "2", "--repeat", "1000000"},
                   "/dev/null", trace) {
    if (trace == nullptr) return;
    while (!computes()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ~endless_run() {
    end(SIGKILL);
    ::unlink(("/dev/shm/filch." + number()).c_str());
  }

 private:
  /// It has a segment a moment after it has begun, and workers a moment after that.
  bool computes() {
    const outcome said = run_filch("metrics " + number() + " --json");
    if (said.exit_code != 0) return false;
    const auto pools = json_of(said).at("pools");
    return pools.size() == 1 && pools[0].at("total").at("visits") > 0;
  }
};

/// What a server on this machine answers; `host` is its address and port. By way of a file.
std::string answer_of(const std::string& host, const std::string& path, const fs::path& by) {
  const std::string request = fmt::format("GET {} HTTP/1.1\\r\\nHost: {}\\r\\n\\r\\n", path, host);
  std::system(
      fmt::format("bash -c 'exec 3<>/dev/tcp/127.0.0.1/{}; printf \"{}\" >&3; cat <&3' > {}",
                  host.substr(host.find(':') + 1), request, by.string())
          .c_str());
  return content(by);
}

TEST(metrics_command, tells_what_a_process_has_counted) {
  const endless_run running;
  const auto told = json_of(run_filch("metrics " + running.number() + " --json"));
  ASSERT_EQ(told["pools"].size(), 1u);
  const auto& pool = told["pools"][0];
  EXPECT_EQ(pool["slots"], 2);
  std::uint64_t sum = 0;
  for (const auto& worker : pool["workers"]) sum += worker["state_changes"].get<std::uint64_t>();
  EXPECT_EQ(pool["total"]["state_changes"], sum);
  EXPECT_GT(sum, 0u);
  const outcome table = run_filch("metrics " + running.number());
  EXPECT_NE(table.output.find("\n  steals_won "), std::string::npos) << table.output;
  std::istringstream lines{table.output};
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(metrics_command, says_that_there_is_no_worker_where_no_pool_has_begun) {
  const filch::trace_session session({.file = {}, .level = filch::trace_level::steal});
  const std::string number = std::to_string(::getpid());
  const outcome said = run_filch("metrics " + number);
  EXPECT_EQ(said.exit_code, 0) << said.errors;
  EXPECT_EQ(said.output, "No worker has done anything yet.\n");
  EXPECT_EQ(json_of(run_filch("metrics --json " + number))["pools"].size(), 0u);
  EXPECT_NE(run_filch("top --count 1 --interval 0.05 " + number).output.find(said.output),
            std::string::npos)
      << "as `top` does";
}

/// What a server has written there as its first line, once it has.
std::string address_in(const fs::path& file) {
  std::string line;
  while (line.find('\n') == line.npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    line = content(file);
  }
  line.pop_back();
  return line;
}

TEST(metrics_command, serves_what_it_prints_until_the_process_ends) {
  const scratch_folder scratch;
  endless_run running;
  EXPECT_NE(run_filch("metrics --prometheus " + running.number())
                .output.find("\nfilch_slots{pool=\"1\"} 2\n"),
            std::string::npos);
  background server{{"filch", "metrics", running.number(), "--listen", "127.0.0.1:0"},
                    scratch / "address"};
  const std::string address = address_in(scratch / "address");
  ASSERT_TRUE(address.starts_with("http://127.0.0.1:")) << address;
  const std::string host = address.substr(7, address.find('/', 7) - 7);
  const auto ask = [&] { return answer_of(host, "/metrics", scratch / "answer"); };
  const std::string page = ask();
  EXPECT_EQ(run_filch("metrics " + running.number() + " --listen nowhere").exit_code, 2);
  EXPECT_TRUE(page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"))
      << page.substr(0, 200);
  EXPECT_NE(page.find("\n# TYPE filch_wake_latency_seconds histogram\n"), std::string::npos);
  running.end(SIGKILL);
  const std::string last = ask();
  EXPECT_TRUE(last.empty() || last.starts_with("HTTP/1.1 503 Service Unavailable\r\n")) << last;
  EXPECT_EQ(server.wait(), 0) << "there is nothing more to serve";
}

TEST(metrics_command, serves_no_longer_than_the_process_lives_though_nobody_asks_for_the_page) {
  const scratch_folder scratch;
  endless_run running;
  background server{{"filch", "metrics", running.number(), "--listen", "127.0.0.1:0"},
                    scratch / "address"};
  address_in(scratch / "address");
  running.end(SIGKILL);
  EXPECT_EQ(server.wait_for(std::chrono::seconds(30)), 0);
}

TEST(metrics_command, says_what_to_do_about_a_process_that_does_not_record) {
  const endless_run unrecorded{nullptr};
  for (const char* command : {"metrics ", "top ", "metrics --listen 127.0.0.1:0 "}) {
    const outcome said = run_filch(command + unrecorded.number());
    EXPECT_EQ(said.exit_code, 1) << command;
    EXPECT_NE(said.errors.find("process " + unrecorded.number() +
                               " does not record; begin it with FILCH_TRACE=FILE"),
              std::string::npos)
        << said.errors;
  }
  EXPECT_EQ(run_filch("metrics").exit_code, 2);
  EXPECT_EQ(run_filch("metrics 1 --listen 127.0.0.1:0 --json").exit_code, 2);
}

TEST(top_command, prints_so_many_frames_of_workers_that_work) {
  const endless_run running;
  const outcome said = run_filch("top " + running.number() + " --count 3 --interval 0.2 --json");
  ASSERT_EQ(said.exit_code, 0) << said.errors;
  std::istringstream lines{said.output};
  std::size_t frames = 0;
  for (std::string line; std::getline(lines, line); ++frames) {
    const auto frame = nlohmann::json::parse(line);
    EXPECT_EQ(frame["slots"], 2);
    EXPECT_GT(frame["total"]["share"]["working"].get<double>(), 0);
    EXPECT_FALSE(frame["verdict"].get<std::string>().empty());
    for (const auto& worker : frame["workers"]) {
      double sum = 0;
      for (const auto& share : worker["share"]) sum += share.get<double>();
      EXPECT_LE(sum, 1.000001) << line;
    }
  }
  EXPECT_EQ(frames, 3u);
}

TEST(top_command, prints_a_picture_without_colour_that_fits) {
  const endless_run running;
  const outcome said =
      run_filch("top " + running.number() + " --count 2 --interval 0.1", "COLUMNS=70");
  EXPECT_EQ(said.exit_code, 0) << said.errors;
  EXPECT_EQ(said.output.find('\033'), std::string::npos);
  EXPECT_NE(said.output.find("steals/s"), std::string::npos) << said.output;
  std::istringstream lines{said.output};
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 70u) << line;
}

// A program whose jobs wait for a lock for ever works, as far as it says itself.
TEST(top_command, tells_of_jobs_that_sleep_in_the_kernel_with_a_slot) {
  std::latch opened{1};
  const filch::trace_session session({.file = {}, .level = filch::trace_level::steal});
  filch::thread_pool pool({.workers = 2});
  std::atomic<int> begun{0};
  for (int i = 0; i < 2; ++i) {
    pool.submit([&] {
      ++begun;
      opened.wait();
    });
  }
  while (begun != 2) std::this_thread::yield();
  const outcome said =
      run_filch("top " + std::to_string(::getpid()) + " --count 1 --interval 0.5 --json");
  opened.count_down();
  ASSERT_EQ(said.exit_code, 0) << said.errors;
  const auto frame = nlohmann::json::parse(said.output);
  const std::string verdict = frame["verdict"];
  EXPECT_TRUE(verdict.starts_with("Jobs sleep in the kernel and keep their slots: ")) << verdict;
  EXPECT_NE(verdict.find("futex"), std::string::npos) << verdict;
  EXPECT_LT(frame["total"]["share"]["working"].get<double>(), 0.2) << said.output;
  int asleep = 0;
  for (const auto& worker : frame["workers"]) {
    if (worker["state"] == "parked") continue;  // a thread that had started for one of the jobs
    EXPECT_EQ(worker["state"], "asleep");
    EXPECT_GT(worker["asleep"].get<double>(), 0.8);
    ++asleep;
  }
  EXPECT_EQ(asleep, 2) << said.output;
}

/// Frames until the user leaves, and what they looked like.
void look_at_frames(const endless_run& running, bool has_colour) {
  terminal screen{{"top", running.number(), "--interval", "0.1"}, {.has_colour = has_colour}};
  ASSERT_TRUE(screen.shows("\033[?1049h")) << "a screen of its own";
  ASSERT_TRUE(screen.shows("q leaves"));
  screen.type("x");
  ASSERT_TRUE(screen.shows("steals/s")) << "another key is none";
  screen.type("q");
  const std::string all = screen.whole();
  EXPECT_EQ(screen.exit_code(), 0);
  EXPECT_TRUE(all.ends_with("\033[?25h\033[?1049l")) << "the cursor, and what was there before";
  const screen_text shown = on_screen(all);
  EXPECT_EQ(shown.has_colour, has_colour);
  EXPECT_LE(widest_of(shown), 80u) << fmt::format("{}", fmt::join(shown.lines, "\n"));
}

TEST(top_command, draws_on_a_terminal_until_somebody_leaves_and_gives_it_back_as_it_was) {
  const endless_run running;
  look_at_frames(running, true);
  look_at_frames(running, false);
}

TEST(top_command, leaves_a_terminal_by_itself_when_the_process_ends) {
  endless_run running;
  terminal screen{{"top", running.number(), "--interval", "0.1"}};
  ASSERT_TRUE(screen.shows("q leaves"));
  running.end(SIGKILL);
  EXPECT_NE(screen.whole().find("\033[?1049l"), std::string::npos);
  EXPECT_EQ(screen.exit_code(), 0);
}

TEST(view_command, offers_the_explanation_until_it_is_interrupted) {
  const scratch_folder scratch;
  background server{{"filch", "view", "--explain"}, scratch / "address"};
  const std::string address = address_in(scratch / "address");
  ASSERT_TRUE(address.starts_with("http://127.0.0.1:")) << address;
  const std::size_t path = address.find('/', 7);
  const std::string page =
      answer_of(address.substr(7, path - 7), address.substr(path), scratch / "answer");
  EXPECT_TRUE(page.starts_with("HTTP/1.1 200 OK\r\n")) << page.substr(0, 200);
  EXPECT_NE(page.find("\"format\":\"filch.explain\""), page.npos);
  EXPECT_EQ(server.end(SIGINT), 0);
  EXPECT_EQ(run_filch("view").exit_code, 2);
  EXPECT_EQ(run_filch("view --explain some.filch").exit_code, 2) << "one of the two";
}

/// The owner of the process can write to its segment.
TEST(top_command, says_what_is_wrong_with_what_makes_no_sense) {
  const endless_run running;
  {
    std::fstream segment{"/dev/shm/filch." + running.number(),
                         std::ios::in | std::ios::out | std::ios::binary};
    const std::uint64_t slots = 5000;
    using filch::trace::row;
    for (std::size_t i = 0; i < 2; ++i) {
      segment.seekp(static_cast<std::streamoff>(offsetof(filch::trace::segment_header, rows) +
                                                i * sizeof(row) + offsetof(row, slot_count)));
      segment.write(reinterpret_cast<const char*>(&slots), sizeof(slots));
    }
    ASSERT_TRUE(segment.flush());
  }
  const outcome said = run_filch("top " + running.number() + " --count 1 --interval 0.1");
  EXPECT_EQ(said.exit_code, 0) << said.errors;
  EXPECT_NE(said.output.find("makes no sense: a pool has too many slots"), std::string::npos)
      << said.output;
}

TEST(top_command, says_that_the_process_has_ended) {
  const scratch_folder scratch;
  endless_run running;
  background watching{{"filch", "top", running.number(), "--interval", "0.05", "--json"},
                      scratch / "frames"};
  while (content(scratch / "frames").find('\n') == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  running.end(SIGKILL);
  EXPECT_EQ(watching.wait(), 0);
  const outcome after = run_filch("top " + running.number());
  EXPECT_EQ(after.exit_code, 1);
  EXPECT_NE(after.errors.find("has ended; `filch snapshot` saves what it left"), std::string::npos)
      << after.errors;
}

TEST(live_commands, have_help_that_fits) {
  for (const char* command : {"top", "metrics"}) {
    const outcome said = run_filch(std::string{command} + " --help");
    EXPECT_EQ(said.exit_code, 0);
    std::istringstream lines{said.output};
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }
}

}  // namespace
