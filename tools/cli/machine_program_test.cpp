// `filch machine` as a user calls it.
#include <filch/testing/machine/machine_keys.hpp>
#include <tools/cli/program_test.hpp>

namespace filch::cli {
namespace {

TEST(machine_command, says_how_many_cores_share_what) {
  const auto layout = json_of(run_filch("machine --json"));
  EXPECT_GE(layout["nodes"], 1);
  EXPECT_GE(layout["caches_per_node"], 1);
  EXPECT_GE(layout["cores_per_cache"], 1);
  const outcome text = run_filch("machine");
  EXPECT_EQ(text.exit_code, 0) << text.errors;
  EXPECT_NE(text.output.find("memory node"), std::string::npos) << text.output;
}

TEST(machine_command, measures_a_file_that_a_simulation_reads) {
  const outcome run = run_filch("machine --measure");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  std::istringstream file{run.output};
  const testing::machine read = testing::read_machine(file, "measured");
  EXPECT_EQ(read.name, "here-" + std::to_string(read.cores()));
  // What no machine is far from, whatever else it does meanwhile
  EXPECT_GT(read.access, 0.05);
  EXPECT_LT(read.access, 50);
  EXPECT_GT(read.memory, 10);
  EXPECT_LT(read.memory, 10'000);
  EXPECT_GT(read.clock, 1);
  EXPECT_LT(read.clock, 10'000);
}

TEST(machine_command, each_measured_figure_has_its_source) {
  const auto measured = json_of(run_filch("machine --measure --json"));
  for (const testing::machine_key& key : testing::machine_keys) {
    const std::string name{key.name};
    EXPECT_TRUE(measured.contains(name)) << name;
    if (measured[name].is_number()) {
      EXPECT_GT(measured[name], 0) << name;
      EXPECT_FALSE(measured["sources"][name].get<std::string>().empty()) << name;
    }
  }
}

}  // namespace
}  // namespace filch::cli
