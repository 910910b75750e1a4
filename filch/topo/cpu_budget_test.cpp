#include <filch/topo/cpu_budget.hpp>

#include <filch/topo/fake_tree_test.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

namespace filch::inline v0_2::topo {
namespace {

/// A machine of 16 CPUs, all of them allowed, and the control groups that a test writes.
class cpu_budget : public testing::Test {
 protected:
  cpu_budget() { tree.write("/sys/devices/system/cpu/online", "0-15\n"); }

  void use_v2(const std::string& own_group) {
    tree.write("/proc/self/cgroup", "0::" + own_group + "\n");
    tree.write("/proc/self/mountinfo", "30 22 0:26 / /cg rw - cgroup2 cgroup2 rw\n");
    tree.write("/cg" + own_group + "/cgroup.procs", "1\n");
  }
  void use_v1(const std::string& own_group) {
    tree.write("/proc/self/cgroup",
               "4:cpu,cpuacct:" + own_group + "\n3:cpuset:" + own_group + "\n");
    tree.write("/proc/self/mountinfo",
               "31 22 0:27 / /cg/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
               "32 22 0:28 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n");
    tree.write("/cg/cpu,cpuacct" + own_group + "/tasks", "1\n");
    tree.write("/cg/cpuset" + own_group + "/tasks", "1\n");
  }

  budget_paths paths() const {
    return {.root = tree.root(), .affinity = std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7}};
  }
  budget read() const { return read_budget(paths()); }

  fake_tree tree;
};

TEST_F(cpu_budget, without_groups_the_affinity_mask_decides) {
  tree.write("/proc/self/cgroup", "");
  tree.write("/proc/self/mountinfo", "");
  const budget found = read();
  EXPECT_EQ(found.workers, 8u);
  EXPECT_EQ(found.why().kind, limit_kind::affinity);
  EXPECT_EQ(found.why().text, "0-7");
  EXPECT_TRUE(found.problems.empty());
}

TEST_F(cpu_budget, of_equal_limits_the_first_is_named) {
  tree.write("/sys/devices/system/cpu/online", "0-7\n");
  use_v2("/");
  EXPECT_EQ(read().why().kind, limit_kind::online);
}

TEST_F(cpu_budget, v2_quota_is_rounded_down) {
  use_v2("/box");
  tree.write("/cg/box/cpu.max", "399999 100000\n");
  const budget found = read();
  EXPECT_EQ(found.workers, 3u);
  EXPECT_EQ(found.why().kind, limit_kind::quota);
  EXPECT_EQ(found.why().source, tree.path("/cg/box/cpu.max"));
  EXPECT_EQ(found.why().text, "399999 100000");
  EXPECT_NEAR(found.why().cpus, 4.0, 0.001);
}

TEST_F(cpu_budget, v2_quota_of_an_ancestor_wins_when_it_is_smaller) {
  use_v2("/slice/box/job");
  tree.write("/cg/slice/box/job/cpu.max", "max 100000\n");
  tree.write("/cg/slice/box/cpu.max", "600000 100000\n");
  tree.write("/cg/slice/cpu.max", "500000 250000\n");
  const budget found = read();
  EXPECT_EQ(found.workers, 2u);
  EXPECT_EQ(found.why().source, tree.path("/cg/slice/cpu.max"));
}

TEST_F(cpu_budget, v2_quota_max_is_no_limit) {
  use_v2("/box");
  tree.write("/cg/box/cpu.max", "max 100000\n");
  EXPECT_EQ(read().workers, 8u);
  EXPECT_EQ(read().limits.size(), 2u);
}

TEST_F(cpu_budget, v1_quota_in_a_co_mounted_hierarchy_is_found) {
  use_v1("/box");
  tree.write("/cg/cpu,cpuacct/box/cpu.cfs_quota_us", "250000\n");
  tree.write("/cg/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  const budget found = read();
  EXPECT_EQ(found.workers, 2u);
  EXPECT_EQ(found.why().text, "250000 100000");
  EXPECT_TRUE(found.problems.empty());
}

TEST_F(cpu_budget, v1_quota_of_minus_one_is_no_limit_but_the_parents_is) {
  use_v1("/pod/box");
  tree.write("/cg/cpu,cpuacct/pod/box/cpu.cfs_quota_us", "-1\n");
  tree.write("/cg/cpu,cpuacct/pod/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read().workers, 8u);
  tree.write("/cg/cpu,cpuacct/pod/cpu.cfs_quota_us", "400000\n");
  tree.write("/cg/cpu,cpuacct/pod/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read().workers, 4u);
}

TEST_F(cpu_budget, a_quota_below_one_cpu_gives_one_worker) {
  use_v2("/box");
  tree.write("/cg/box/cpu.max", "10000 100000\n");
  EXPECT_EQ(read().workers, 1u);
  EXPECT_NEAR(read().why().cpus, 0.1, 1e-9);
}

TEST_F(cpu_budget, a_huge_quota_limits_nothing) {
  use_v2("/box");
  tree.write("/cg/box/cpu.max", "18446744073709551615 1\n");
  EXPECT_EQ(read().workers, 8u);
  EXPECT_TRUE(read().problems.empty());
}

TEST_F(cpu_budget, v2_cpuset_counts) {
  use_v2("/box");
  tree.write("/cg/box/cpuset.cpus.effective", "0-3,8,10-11\n");
  const budget found = read();
  EXPECT_EQ(found.workers, 7u);
  EXPECT_EQ(found.why().kind, limit_kind::cpuset);
}

TEST_F(cpu_budget, v1_cpuset_counts) {
  use_v1("/box");
  tree.write("/cg/cpuset/box/cpuset.cpus", "2-4\n");
  EXPECT_EQ(read().workers, 3u);
}

TEST_F(cpu_budget, an_empty_cpuset_is_no_limit_and_no_problem) {
  use_v1("/box");
  tree.write("/cg/cpuset/box/cpuset.cpus", "\n");
  EXPECT_EQ(read().workers, 8u);
  EXPECT_TRUE(read().problems.empty());
}

TEST_F(cpu_budget, malformed_files_limit_nothing_and_are_listed_with_their_text) {
  use_v2("/box");
  tree.write("/cg/box/cpu.max", "lots\n");
  tree.write("/cg/box/cpuset.cpus.effective", "0-\n");
  const budget found = read();
  EXPECT_EQ(found.workers, 8u);
  ASSERT_EQ(found.problems.size(), 2u);
  EXPECT_EQ(found.problems[0].source, tree.path("/cg/box/cpu.max"));
  EXPECT_EQ(found.problems[0].reason, "malformed, so counted as no limit: \"lots\"");
  EXPECT_EQ(found.problems[1].source, tree.path("/cg/box/cpuset.cpus.effective"));
}

TEST_F(cpu_budget, a_v1_quota_without_its_period_is_listed) {
  use_v1("/box");
  tree.write("/cg/cpu,cpuacct/box/cpu.cfs_quota_us", "100000\n");
  EXPECT_EQ(read().workers, 8u);
  ASSERT_EQ(read().problems.size(), 1u);
}

TEST_F(cpu_budget, an_unreadable_file_is_listed) {
  use_v2("/box");
  tree.write("/cg/box/cpu.max/a_folder_in_its_place", "");
  const budget found = read();
  EXPECT_EQ(found.workers, 8u);
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_EQ(found.problems[0].source, tree.path("/cg/box/cpu.max"));
}

TEST_F(cpu_budget, a_vanished_group_is_listed_and_its_ancestors_still_bind) {
  use_v2("/slice/box");
  tree.write("/cg/slice/cpu.max", "200000 100000\n");
  tree.remove("/cg/slice/box");
  const budget found = read();
  EXPECT_EQ(found.workers, 2u);
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_EQ(found.problems[0].source, tree.path("/cg/slice/box"));
}

TEST_F(cpu_budget, without_proc_and_sys_the_c_library_counts) {
  tree.remove("/sys");
  const budget found =
      read_budget({.root = tree.root(), .affinity = std::vector<unsigned>(100'000)});
  EXPECT_EQ(found.workers, static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_ONLN)));
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_EQ(found.problems[0].source, tree.path("/proc/self/cgroup"));
}

TEST_F(cpu_budget, the_real_machine_has_a_budget_within_its_cpus) {
  const budget found = read_budget();
  EXPECT_GE(found.workers, 1u);
  EXPECT_LE(found.workers, static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_ONLN)));
  if (has_affinity()) {
    EXPECT_LE(found.workers, current_affinity().size());
  }
}

TEST_F(cpu_budget, a_process_bound_to_one_cpu_has_one_worker) {
  if (!has_affinity()) {
    EXPECT_THROW(pin_current_thread(0), std::system_error);
    return;
  }
  const auto child = [] {
    pin_current_thread(current_affinity().front());
    std::exit(read_budget().workers == 1 ? 0 : 1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

TEST_F(cpu_budget, a_watch_sees_a_quota_that_changes_and_one_that_appears) {
  use_v2("/box");
  tree.write("/cg/box/cpu.max", "300000 100000\n");
  budget_watch watch{paths()};
  EXPECT_EQ(watch.current().workers, 3u);
  EXPECT_FALSE(watch.refresh());
  tree.write("/cg/box/cpu.max", "200000 100000\n");
  EXPECT_TRUE(watch.refresh());
  EXPECT_EQ(watch.current().workers, 2u);
  tree.write("/cg/cpu.max", "100000 100000\n");
  EXPECT_TRUE(watch.refresh());
  EXPECT_EQ(watch.current().why().source, tree.path("/cg/cpu.max"));
}

TEST_F(cpu_budget, a_watch_survives_that_everything_vanishes_and_returns) {
  use_v2("/box");
  tree.write("/cg/box/cpu.max", "300000 100000\n");
  budget_watch watch{paths()};
  tree.remove("/cg");
  tree.remove("/proc");
  EXPECT_TRUE(watch.refresh());
  EXPECT_EQ(watch.current().workers, 8u);
  use_v2("/box");
  tree.write("/cg/box/cpu.max", "300000 100000\n");
  EXPECT_TRUE(watch.refresh());
  EXPECT_EQ(watch.current().workers, 3u);
}

TEST_F(cpu_budget, a_watch_looks_again_for_mounts_that_could_not_be_read) {
  use_v2("/box");
  tree.write("/cg/box/cpu.max", "300000 100000\n");
  tree.remove("/proc/self/mountinfo");
  budget_watch watch{paths()};
  EXPECT_EQ(watch.current().workers, 8u);
  EXPECT_FALSE(watch.current().problems.empty());
  use_v2("/box");
  EXPECT_TRUE(watch.refresh());
  EXPECT_EQ(watch.current().workers, 3u);
  EXPECT_TRUE(watch.current().problems.empty());
}

TEST_F(cpu_budget, a_watch_follows_the_process_into_another_group) {
  use_v2("/box");
  budget_watch watch{paths()};
  EXPECT_EQ(watch.current().workers, 8u);
  use_v2("/cage");
  tree.write("/cg/cage/cpu.max", "100000 100000\n");
  EXPECT_TRUE(watch.refresh());
  EXPECT_EQ(watch.current().workers, 1u);
}

TEST_F(cpu_budget, a_watch_sees_the_mask_of_its_thread_change) {
  if (!has_affinity()) {
    EXPECT_FALSE(budget_watch{}.refresh());
    return;
  }
  const auto child = [] {
    budget_watch watch;
    const bool unchanged = !watch.refresh();
    const bool narrows = current_affinity().size() > 1;
    pin_current_thread(current_affinity().front());
    const bool saw_it = watch.refresh() == narrows && watch.current().workers == 1;
    std::exit(unchanged && saw_it ? 0 : 1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

/// Sets FILCH_WORKERS for a test, and restores it.
class environment {
 public:
  explicit environment(const char* value) {
    if (const char* before = std::getenv("FILCH_WORKERS")) {
      before_ = before;
    }
    value != nullptr ? ::setenv("FILCH_WORKERS", value, 1) : ::unsetenv("FILCH_WORKERS");
  }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment() {
    before_ ? ::setenv("FILCH_WORKERS", before_->c_str(), 1) : ::unsetenv("FILCH_WORKERS");
  }

 private:
  std::optional<std::string> before_;
};

TEST(workers_from_environment, unset_empty_and_zero_mean_automatic) {
  for (const char* value : {static_cast<const char*>(nullptr), "", "0"}) {
    const environment set{value};
    EXPECT_EQ(workers_from_environment(), std::nullopt);
  }
}

TEST(workers_from_environment, a_number_up_to_the_bound_is_taken) {
  for (const unsigned value : {1u, 7u, max_workers}) {
    const environment set{std::to_string(value).c_str()};
    EXPECT_EQ(workers_from_environment(), value);
  }
}

TEST(workers_from_environment, rubbish_is_refused_by_name_and_value) {
  for (const char* value : {"many", "-1", "2.5", "4097", "99999999999999999999", "3 ", "0x2"}) {
    const environment set{value};
    try {
      workers_from_environment();
      FAIL() << value << " was accepted";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string_view{error.what()}.find("FILCH_WORKERS"), std::string_view::npos);
      EXPECT_NE(std::string_view{error.what()}.find("\"" + std::string{value} + "\""),
                std::string_view::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace filch::topo
