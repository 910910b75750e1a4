#include <filch/topo/machine.hpp>

#include <filch/topo/affinity.hpp>
#include <filch/topo/fake_tree_test.hpp>
#include <filch/topo/machine_sources.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <system_error>

namespace filch::inline v0_2::topo {
namespace {

std::vector<cpu> cpus_of(const machine& machine) {
  return {machine.cpus().begin(), machine.cpus().end()};
}

std::string range(unsigned first, unsigned count) {
  return std::to_string(first) + "-" + std::to_string(first + count - 1) + "\n";
}

/// Two packages of one node each, with two L3 of two cores of two threads. The threads of a core
/// are numbered side by side.
class sysfs_machine : public testing::Test {
 protected:
  sysfs_machine() {
    tree.write(cpu_root + "/online", "0-15\n");
    tree.write("/devices/system/node/online", "0-1\n");
    tree.write("/devices/system/node/node0/cpulist", "0-7\n");
    tree.write("/devices/system/node/node1/cpulist", "8-15\n");
    for (unsigned index = 0; index < 16; ++index) {
      write_cpu(index);
    }
  }

  void write_cpu(unsigned index) {
    const std::string folder = cpu_root + "/cpu" + std::to_string(index);
    tree.write(folder + "/topology/core_cpus_list", range(index / 2 * 2, 2));
    tree.write(folder + "/topology/package_cpus_list", range(index / 8 * 8, 8));
    write_cache(folder + "/cache/index0", "1", "Data", "32K", range(index / 2 * 2, 2));
    write_cache(folder + "/cache/index1", "1", "Instruction", "64K", range(index / 2 * 2, 2));
    write_cache(folder + "/cache/index2", "2", "Unified", "512K", range(index / 2 * 2, 2));
    write_cache(folder + "/cache/index3", "3", "Unified", "16M", range(index / 4 * 4, 4));
  }
  void write_cache(const std::string& folder, const char* level, const char* type, const char* size,
                   const std::string& shared) {
    tree.write(folder + "/level", level + std::string{"\n"});
    tree.write(folder + "/type", type + std::string{"\n"});
    tree.write(folder + "/size", size + std::string{"\n"});
    tree.write(folder + "/shared_cpu_list", shared);
  }
  void for_each_cpu_remove(const std::string& inside) {
    for (unsigned index = 0; index < 16; ++index) {
      tree.remove(cpu_root + "/cpu" + std::to_string(index) + inside);
    }
  }
  machine read() const { return read_machine(machine_source::sysfs, tree.root()); }

  const std::string cpu_root = "/devices/system/cpu";
  fake_tree tree;
};

TEST_F(sysfs_machine, everything_is_counted) {
  const machine found = read();
  EXPECT_EQ(found.cpus().size(), 16u);
  EXPECT_EQ(found.core_count(), 8u);
  EXPECT_EQ(found.cache_count(), 4u);
  EXPECT_EQ(found.numa_node_count(), 2u);
  EXPECT_EQ(found.package_count(), 2u);
  EXPECT_EQ(found.caches(), (cache_sizes{32u << 10, 512u << 10, 16u << 20}));
  EXPECT_EQ(found.source(), tree.root());
}

TEST_F(sysfs_machine, distances_grow_outwards) {
  const machine found = read();
  const auto from_first = [&](unsigned other) {
    return distance_between(*found.find(0), *found.find(other));
  };
  EXPECT_EQ(from_first(1), distance::same_core);
  EXPECT_EQ(from_first(2), distance::same_cache);
  EXPECT_EQ(from_first(4), distance::same_node);
  EXPECT_EQ(from_first(8), distance::anywhere);
}

TEST_F(sysfs_machine, hwloc_sees_the_same_shape_in_the_same_way) {
  ::setenv("HWLOC_SYNTHETIC",
           "package:2 [numa] l3:2(size=16777216) l2:2(size=524288) l1d:1(size=32768) core:1 pu:2",
           1);
  if (has_hwloc()) {
    const machine same = read_machine(machine_source::hwloc);
    EXPECT_EQ(cpus_of(same), cpus_of(read()));
    EXPECT_EQ(same.caches(), read().caches());
  } else {
    EXPECT_THROW(read_machine(machine_source::hwloc), std::system_error);
  }
  ::unsetenv("HWLOC_SYNTHETIC");
}

TEST_F(sysfs_machine, offline_cpus_are_left_out) {
  tree.write(cpu_root + "/online", "0-2,9\n");
  const machine found = read();
  EXPECT_EQ(found.cpus().size(), 4u);
  EXPECT_EQ(found.find(3), nullptr);
  EXPECT_EQ(found.find(9)->package, 1u);
}

TEST_F(sysfs_machine, the_names_of_older_kernels_are_understood) {
  for (unsigned index = 0; index < 16; ++index) {
    const std::string folder = cpu_root + "/cpu" + std::to_string(index) + "/topology";
    std::filesystem::rename(tree.path(folder + "/core_cpus_list"),
                            tree.path(folder + "/thread_siblings_list"));
    std::filesystem::rename(tree.path(folder + "/package_cpus_list"),
                            tree.path(folder + "/core_siblings_list"));
  }
  EXPECT_EQ(read().core_count(), 8u);
  EXPECT_EQ(read().package_count(), 2u);
}

TEST_F(sysfs_machine, without_an_l3_the_l2_is_the_shared_cache) {
  for_each_cpu_remove("/cache/index3");
  EXPECT_EQ(read().cache_count(), 8u);
  EXPECT_EQ(read().caches().l3_bytes, 0u);
}

TEST_F(sysfs_machine, with_nothing_but_the_list_every_cpu_is_a_core_of_one_package) {
  for_each_cpu_remove("");
  tree.remove("/devices/system/node");
  const machine found = read();
  EXPECT_EQ(found.core_count(), 16u);
  EXPECT_EQ(found.package_count(), 1u);
  EXPECT_EQ(found.numa_node_count(), 1u);
  EXPECT_EQ(found.caches(), cache_sizes{});
}

TEST_F(sysfs_machine, malformed_files_count_as_missing) {
  tree.write(cpu_root + "/cpu3/topology/core_cpus_list", "nonsense\n");
  tree.write(cpu_root + "/cpu0/cache/index0/size", "huge\n");
  tree.write("/devices/system/node/node1/cpulist", "8-\n");
  const machine found = read();
  EXPECT_EQ(found.cpus().size(), 16u);
  EXPECT_NE(found.find(3)->core, found.find(2)->core);
  EXPECT_EQ(found.caches().l1_data_bytes, 0u);
  EXPECT_EQ(found.numa_node_count(), 1u);
}

TEST(machine, a_root_without_cpus_is_named) {
  const fake_tree empty;
  try {
    read_machine(machine_source::sysfs, empty.root());
    FAIL() << "an empty folder was taken for a machine";
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string_view{error.what()}.find(empty.root()), std::string_view::npos);
  }
}

TEST(machine, all_sources_count_the_cpus_of_this_machine_alike) {
  const machine found = read_machine();
  EXPECT_EQ(found.cpus().size(), read_machine(machine_source::count).cpus().size());
  EXPECT_GE(found.core_count(), found.package_count());
}

TEST(machine, a_mere_count_prefers_no_cpu_to_another) {
  const machine found = read_count();
  EXPECT_EQ(found.core_count(), found.cpus().size());
  for (const cpu& other : found.cpus().subspan(1)) {
    EXPECT_EQ(distance_between(found.cpus()[0], other), distance::same_cache);
  }
}

TEST(machine, hwloc_and_sysfs_agree_on_this_machine) {
  if (!has_hwloc()) {
    EXPECT_THROW(read_machine(machine_source::hwloc), std::system_error);
    return;
  }
  const machine by_hwloc = read_machine(machine_source::hwloc);
  EXPECT_EQ(by_hwloc.source(), "hwloc");
  EXPECT_EQ(read_machine().source(), by_hwloc.source())
      << "where hwloc is there, it is asked first";
  if (std::filesystem::exists("/sys/devices/system/cpu/online")) {
    const machine by_sysfs = read_machine(machine_source::sysfs);
    EXPECT_EQ(cpus_of(by_hwloc), cpus_of(by_sysfs));
    // Kernels of some virtual machines list no caches; hwloc asks the processor itself.
    if (std::filesystem::exists("/sys/devices/system/cpu/cpu0/cache")) {
      EXPECT_EQ(by_hwloc.caches(), by_sysfs.caches());
    } else {
      EXPECT_EQ(by_sysfs.caches(), cache_sizes{});
    }
  }
}

TEST(machine, every_allowed_cpu_is_known) {
  const machine found = read_machine();
  for (const unsigned os_index : has_affinity() ? current_affinity() : std::vector<unsigned>{}) {
    EXPECT_NE(found.find(os_index), nullptr) << os_index;
  }
}

TEST(machine, a_part_of_it_is_numbered_anew) {
  const machine whole{
      {{.os_index = 4, .core = 7, .package = 3}, {.os_index = 2, .core = 5, .package = 9}},
      {},
      "test"};
  const machine part = whole.only(std::vector<unsigned>{4});
  ASSERT_EQ(part.cpus().size(), 1u);
  EXPECT_EQ(part.cpus()[0], (cpu{.os_index = 4}));
  EXPECT_TRUE(whole.only(std::vector<unsigned>{99}).cpus().empty());
}

}  // namespace
}  // namespace filch::topo
