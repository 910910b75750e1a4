#include <bench/duplicates/filch.hpp>
#include <filch/base/scratch_folder.hpp>
#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;
using namespace bench::duplicates;

/// A folder of its own for each test, gone afterwards.
class duplicates : public testing::Test {
 protected:
  fs::path write(const fs::path& name, const std::string& content) const {
    return folder_.write(name, content);
  }
  answer found() const { return serial({{root_}}); }

  filch::base::scratch_folder folder_;
  const fs::path root_{folder_.string()};
};

/// Two contents of the same size and first page.
std::string long_content(char last) { return std::string(300'000, 'x') + last; }

TEST_F(duplicates, are_grouped_with_the_most_wasteful_first) {
  const auto a = write("a", "hello"), b = write("deep/er/b", "hello");
  const auto c = write("c", long_content('1')), d = write("d", long_content('1'));
  const auto e = write("e", long_content('2')), f = write("f", long_content('2')),
             g = write("g", long_content('2'));
  write("alone", "hallo");
  write("longest", long_content('1') + "1");
  const answer result = found();
  EXPECT_EQ(result.groups,
            (std::vector<group>{{300'001, {e, f, g}}, {300'001, {c, d}}, {5, {a, b}}}));
  EXPECT_EQ(result.groups[0].wasted_bytes(), 600'002u);
  EXPECT_EQ(result.files.size(), 9u);
  EXPECT_TRUE(result.failures.empty());
  EXPECT_EQ(check(result), "");
}

TEST_F(duplicates, are_the_same_on_filch) {
  for (int i = 0; i < 200; ++i) {
    write(std::to_string(i % 7) + "/" + std::to_string(i),
          std::string(i % 20 * 1000, "abc"[i % 3]));
  }
  const answer expected = found();
  EXPECT_GT(expected.groups.size(), 10u);
  for (const unsigned workers : {1u, 2u, 5u}) {
    filch::thread_pool pool{{.workers = workers}};
    const answer result = pool.run([&] { return on_filch({{root_}}); });
    EXPECT_EQ(result.groups, expected.groups) << workers << " workers";
    EXPECT_EQ(check(result), "");
  }
}

TEST_F(duplicates, ignore_links_empty_files_and_folders_named_twice) {
  const auto a = write("a", "content");
  fs::create_symlink(a, root_ / "soft");
  fs::create_directory_symlink(root_, root_ / "loop");
  fs::create_hard_link(a, root_ / "hard");
  write("empty1", "");
  write("empty2", "");
  const answer result = serial({{root_, root_, root_ / "a"}});
  EXPECT_TRUE(result.groups.empty());
  EXPECT_EQ(result.files.size(), 1u);
}

TEST_F(duplicates, follow_a_link_that_is_named_itself) {
  write("real/a", "content");
  fs::create_directory_symlink(root_ / "real", root_ / "link");
  EXPECT_EQ(serial({{root_ / "link"}}).files.size(), 1u);
}

TEST_F(duplicates, report_what_cannot_be_read_and_go_on) {
  const auto a = write("a", "content"), b = write("b", "content");
  const answer result = serial({{root_, root_ / "missing"}});
  EXPECT_EQ(result.groups, (std::vector<group>{{7, {a, b}}}));
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].path, root_ / "missing");
  EXPECT_EQ(result.failures[0].reason, std::errc::no_such_file_or_directory);
}

/// Removes a file after its first page was read and before it is compared.
class saboteur final : public observer {
 public:
  explicit saboteur(fs::path victim) : victim_{std::move(victim)} {}
  void begin(const char* phase, std::size_t) override {
    if (std::string_view{phase} == "comparing") fs::remove(victim_);
  }

 private:
  fs::path victim_;
};

TEST_F(duplicates, survive_a_file_that_vanishes_in_the_middle) {
  for (const char* victim : {"a", "b", "c"}) {
    for (const char* name : {"a", "b", "c"}) write(name, "content");
    saboteur watcher{root_ / victim};
    const answer result = serial({{root_}}, watcher);
    ASSERT_EQ(result.groups.size(), 1u);
    EXPECT_EQ(result.groups[0].paths.size(), 2u);
    ASSERT_EQ(result.failures.size(), 1u);
    EXPECT_EQ(result.failures[0].path, root_ / victim);
  }
}

TEST_F(duplicates, wrong_groups_are_noticed) {
  const auto a = write("a", "content"), b = write("b", "content"), c = write("c", "another");
  const answer right = found();
  answer missed = right, invented = right, mixed = right;
  missed.groups.clear();
  invented.groups.push_back({7, {c, b}});
  mixed.groups[0].paths.push_back(c);
  EXPECT_EQ(check(missed), "the duplicates of " + a.string() + " were missed");
  EXPECT_EQ(check(invented), c.string() + " has no duplicates, but was reported");
  EXPECT_EQ(check(mixed), "the duplicates of " + a.string() + " are not those reported");
}

}  // namespace
