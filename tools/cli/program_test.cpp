// Runs the `filch` program as a user does, and reads what it prints and returns.
#include <tools/cli/program_test.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace {

using namespace filch::cli;
using filch::base::scratch_folder;

struct small_run {
  std::string name, options;
};

class small_runs : public testing::TestWithParam<std::tuple<small_run, int>> {};

TEST_P(small_runs, verify_their_result) {
  const auto& [work, workers] = GetParam();
  const auto report = json_of(run_filch(
      fmt::format("run {} {} --workers {} --repeat 2 --json", work.name, work.options, workers)));
  EXPECT_EQ(report["workload"], work.name);
  EXPECT_EQ(report["workers"], workers);
  EXPECT_EQ(report["verified"], true);
  EXPECT_FALSE(report.contains("wrong"));
  EXPECT_EQ(report["seconds"]["all"].size(), 2u);
  EXPECT_LE(report["seconds"]["min"], report["seconds"]["median"]);
  EXPECT_TRUE(report["scheduler"].contains("steals_won"));
  // Whose blocking reads let a spare take over the one slot
  if (workers == 1 && work.name != "duplicates") {
    EXPECT_EQ(report["scheduler"]["steals_won"], 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    program, small_runs,
    testing::Combine(
        testing::Values(
            small_run{"uts", "--tree T1"}, small_run{"fib", "-n 24"}, small_run{"nqueens", "-n 8"},
            small_run{"integrate", "--epsilon 1e-3"}, small_run{"quicksort", "--count 100000"},
            small_run{"mergesort", "--count 100000"}, small_run{"matmul", "-n 150"},
            small_run{"fft", "--log2-size 14"}, small_run{"mandelbrot", "--width 150 --height 100"},
            small_run{"sum", "--count 20000"}, small_run{"duplicates", FILCH_SOME_FOLDER}),
        testing::Values(1, 2, 5)),
    [](const auto& tested) {
      return fmt::format("{}_on_{}", std::get<0>(tested.param).name, std::get<1>(tested.param));
    });

TEST(program, reports_fit_80_columns_and_have_no_colour_in_a_file) {
  for (const char* arguments :
       {"--help", "run --help", "run uts --help", "run duplicates --help", "info", "run fib -n 20",
        "run mandelbrot --width 30 --height 20", "run sum --count 1000", "run uts",
        "explain --help", "explain --step 30", "prove --help", "analyze --help",
        "analyze fib -n 15", "analyze fft --log2-size 12 --measure 1"}) {
    const outcome run = run_filch(arguments);
    EXPECT_EQ(run.exit_code, 0) << arguments << run.errors;
    EXPECT_EQ(run.output.find('\033'), std::string::npos);
    std::istringstream lines{run.output};
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80u) << arguments << ":\n" << line;
  }
}

TEST(program, analyzes_a_workload) {
  const nlohmann::json fib = json_of(run_filch("analyze fib -n 15 --workers 4 --json"));
  EXPECT_EQ(fib["workload"], "fib");
  EXPECT_EQ(fib["verified"], true);
  EXPECT_EQ(fib["workers"], 4);
  EXPECT_EQ(fib["forks"], 986);
  EXPECT_EQ(fib["predictions"].size(), 11u);
  EXPECT_EQ(fib["measured"].size(), 0u);
  EXPECT_EQ(
      json_of(run_filch("analyze fib -n 15 --workers 2 --measure 1 --json"))["measured"].size(),
      2u);
}

TEST(program, tells_its_version) {
  EXPECT_TRUE(run_filch("--version").output.starts_with("filch "));
}

struct misuse {
  const char *arguments, *complaint;
};

class misuses : public testing::TestWithParam<misuse> {};

TEST_P(misuses, name_what_was_wrong) {
  const outcome run = run_filch(GetParam().arguments);
  EXPECT_EQ(run.exit_code, 2) << run.output;
  EXPECT_EQ(run.output, "");
  EXPECT_NE(run.errors.find(GetParam().complaint), std::string::npos) << run.errors;
}

INSTANTIATE_TEST_SUITE_P(
    program, misuses,
    testing::Values(
        misuse{"", "which command? the commands are"},
        misuse{"rum", "no command called 'rum': did you mean 'run'?"},
        misuse{"run", "which workload? the workloads are"},
        misuse{"run utz", "no workload called 'utz': did you mean 'uts'?"},
        misuse{"run something", "the workloads are\n  uts, fib, nqueens"},
        misuse{"run uts --tree T9", "--tree: T9 not in {T1,T2,T3,T4,T5,T1L,T3L}"},
        misuse{"run fib --wokers=2", "not expected: --wokers=2"},
        misuse{"analyze", "which workload? the workloads are"},
        misuse{"analyze fib --measure -1", "--measure: Value -1 not in range 0 to 1000"},
        misuse{"run fib --workers -1", "--workers: Value -1 not in range 0 to 4096"},
        misuse{"run fib --workers 100000", "--workers: Value 100000 not in range"},
        misuse{"run fib --repeat 0", "--repeat: Value 0 not in range 1 to"},
        misuse{"run fib -n ten", "-n: Value ten not in range 0 to 93"},
        misuse{"run integrate --upper nan", "--upper: nan is no number"},
        misuse{"run integrate --epsilon -NaN", "--epsilon: -NaN is no number"},
        misuse{"top 1 --interval nan", "--interval: nan is no number"},
        misuse{"run nqueens -n 19", "-n: Value 19 not in range 0 to 18"},
        misuse{"run duplicates", "PATH is required"},
        misuse{"explain --scene tree", "--scene: tree not in {balanced,skewed,"},
        misuse{"explain --scheduler fifo", "--scheduler: fifo not in {static_split,"},
        misuse{"explain --scheduler continuation_stealing", "--scheduler: continuation_stealing"},
        misuse{"explain --step 1000", "--step: 1000 is behind the last step, 106"},
        misuse{"explain --seed x", "--seed: Value x not in range"},
        misuse{"run duplicates /no/such/folder", "/no/such/folder"}));

TEST(program, says_that_a_file_cannot_be_written) {
  const outcome run =
      run_filch("run mandelbrot --width 30 --height 20 --out /no/such/folder/a.png");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.errors, "filch: cannot write /no/such/folder/a.png: No such file or directory\n");
  EXPECT_NE(run.output.find("speed"), std::string::npos)
      << "what was computed is told: " << run.output;
}

TEST(program, says_that_the_output_cannot_be_written) {
  for (const char* command : {"info --json", "run fib -n 10", "--help"}) {
    const int status = std::system(
        fmt::format("'{}' {} > /dev/full 2> /dev/null", FILCH_PROGRAM, command).c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1) << command;
  }
}

TEST(program, complains_without_control_characters) {
  const outcome run = run_filch("report \"$(printf 'a\\033]0;b\\nc')\"");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.errors.find('\033'), std::string::npos);
  EXPECT_NE(run.errors.find("a?]0;b\nc: No such file"), std::string::npos) << run.errors;
}

TEST(program, writes_a_picture) {
  const scratch_folder scratch;
  const std::string path = (scratch / "a.png").string();
  EXPECT_EQ(run_filch("run mandelbrot --width 30 --height 20 --out " + path).exit_code, 0);
  const std::string picture = content(path);
  ASSERT_GT(picture.size(), 33u);
  EXPECT_EQ(picture.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(picture.substr(16, 8), std::string("\0\0\0\x1e\0\0\0\x14", 8)) << "width and height";
}

TEST(program, lists_duplicates_and_goes_on_past_files_it_cannot_read) {
  const scratch_folder scratch;
  for (const char* name : {"one", "two", "thr\nee"})
    std::ofstream{scratch / name} << std::string(2048, 'x');
  std::ofstream{scratch / "secret"} << std::string(2048, 'y');
  fs::permissions(scratch / "secret", fs::perms::none);
  const outcome run = run_filch("run duplicates " + scratch.string());
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.output.find("4.00 KiB wasted  3 files of 2.00 KiB\n"), std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find("thr?ee"), std::string::npos);
  EXPECT_NE(run.output.find("1 group, 4.00 KiB wasted"), std::string::npos);
  if (::geteuid() != 0) {  // nothing is unreadable to root
    EXPECT_EQ(run.errors, fmt::format("filch: cannot read {}: Permission denied\n",
                                      (scratch / "secret").string()));
  }
}

TEST(program, prints_json_also_of_names_that_are_not_utf8) {
  const scratch_folder scratch;
  for (const char* name : {"\xff", "\xfe"}) std::ofstream{scratch / name} << "same";
  const auto report = json_of(run_filch("run duplicates --json " + scratch.string()));
  EXPECT_EQ(report["result"]["groups"][0]["paths"].size(), 2u);
}

TEST(program, info_agrees_with_the_environment_and_the_affinity) {
  const auto usual = json_of(run_filch("info --json"));
  EXPECT_GE(usual["workers"], 1);
  EXPECT_FALSE(usual["limits"].empty());
  EXPECT_FALSE(usual["machine"]["cpus"].empty());
  const auto told = json_of(run_filch("info --json", "FILCH_WORKERS=3"));
  EXPECT_EQ(told["workers"], 3);
  EXPECT_EQ(told["decided_by"], "FILCH_WORKERS");
  const auto bound = json_of(run_filch("info --json", "taskset -c 0"));
  EXPECT_EQ(bound["workers"], 1);
}

TEST(program, info_refuses_a_number_of_workers_that_makes_no_sense) {
  const outcome run = run_filch("info", "FILCH_WORKERS=many");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.errors.find("FILCH_WORKERS"), std::string::npos);
}

}  // namespace
