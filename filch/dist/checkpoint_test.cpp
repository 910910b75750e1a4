// Checkpoints: files, and runs that fail and go on.
#include <filch/base/rng.hpp>
#include <filch/base/scratch_folder.hpp>
#include <filch/base/text_file.hpp>
#include <filch/dist/checkpoint.hpp>
#include <filch/dist/for_each_task.hpp>
#include <filch/dist/in_process_test.hpp>

#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <functional>

namespace filch::inline v0_2::dist {
namespace {

TEST(checkpoint_files, come_back_and_are_refused_if_damaged_or_of_another_run) {
  const base::scratch_folder scratch;
  const checkpoint_files files{scratch.string() + "/new", 7};
  EXPECT_FALSE(files.read_manifest());
  files.write_part(3, 1, {"bag", "result"});
  files.write_manifest({3, 2});
  EXPECT_EQ(files.read_manifest(), (checkpoint_manifest{3, 2}));
  EXPECT_EQ(files.read_part(3, 1).bag, "bag");
  EXPECT_EQ(files.read_part(3, 1).result, "result");
  EXPECT_THROW(files.read_part(3, 0), checkpoint_error);
  EXPECT_THROW((checkpoint_files{scratch.string() + "/new", 8}.read_manifest()), checkpoint_error);
  const auto path = scratch / "new/3.1.part";
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0600});
  const std::string whole = base::read_text(path).text;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    scratch.write("new/3.1.part", damaged);
    EXPECT_THROW(files.read_part(3, 1), checkpoint_error) << at;
    scratch.write("new/3.1.part", whole.substr(0, at));
    EXPECT_THROW(files.read_part(3, 1), checkpoint_error) << at;
  }
}

TEST(checkpoint_files, of_earlier_checkpoints_go_and_others_stay) {
  const base::scratch_folder scratch;
  const checkpoint_files files{scratch.string(), 7};
  files.write_part(1, 0, {});
  files.write_part(11, 0, {});
  files.write_part(12, 5, {});
  scratch.write("mine.txt", "text");
  files.remove_all_but(11);
  EXPECT_FALSE(exists(scratch / "1.0.part"));
  EXPECT_TRUE(exists(scratch / "11.0.part"));
  EXPECT_FALSE(exists(scratch / "12.5.part"));
  files.write_manifest({11, 1});
  files.remove();
  EXPECT_FALSE(exists(scratch / "manifest"));
  EXPECT_FALSE(exists(scratch / "11.0.part"));
  EXPECT_TRUE(exists(scratch / "mine.txt"));
}

const monoid sum{std::uint64_t{0}, std::plus<>{}};
constexpr std::uint64_t all_tasks = 2047;

run_options in(const base::scratch_folder& scratch) {
  return {.checkpoint_folder = scratch.string(), .checkpoint_every_ns = 500'000};
}

/// A run over a binary tree of tasks that take 20 us. Fails when so many tasks have run.
class failing_run {
 public:
  explicit failing_run(std::int64_t left) : left_{left} {}

  /// The total, or nothing on a rank where the run failed.
  std::optional<std::uint64_t> on(communicator& ranks, const run_options& options) {
    const auto expand = [this](int level, auto& push, std::uint64_t& count) {
      const std::uint64_t until = base::now_ns() + 20'000;
      while (base::now_ns() < until) {
      }
      if (--left_ <= 0) throw std::runtime_error("killed");
      ++count;
      if (level > 0) push(level - 1), push(level - 1);
    };
    try {
      return for_each_task(ranks, std::vector{10}, expand, sum, options);
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }
  std::int64_t left() const { return left_; }

 private:
  std::atomic<std::int64_t> left_;
};

constexpr std::int64_t never = std::int64_t{1} << 40;

TEST(checkpoints, a_run_that_failed_goes_on_with_the_exact_count_on_any_number_of_ranks) {
  base::split_mix64 random{1};
  int restored = 0;
  for (int turn = 0; turn < 20; ++turn) {
    const base::scratch_folder scratch;
    failing_run first{1 + static_cast<std::int64_t>(random() % all_tasks)};
    on_ranks(1 + static_cast<int>(random() % 4), 1 + turn % 2,
             [&](communicator& ranks) { EXPECT_FALSE(first.on(ranks, in(scratch))); });
    restored += exists(scratch / "manifest");
    failing_run second{never};
    on_ranks(1 + static_cast<int>(random() % 4), 1 + turn % 2,
             [&](communicator& ranks) { EXPECT_EQ(second.on(ranks, in(scratch)), all_tasks); });
    EXPECT_FALSE(exists(scratch / "manifest")) << "a run that has ended removes its checkpoint";
  }
  EXPECT_GE(restored, 3) << "too few had a checkpoint to tell";
}

TEST(checkpoints, what_was_done_before_is_not_done_again) {
  const base::scratch_folder scratch;
  failing_run first{1800};
  on_ranks(2, 1, [&](communicator& ranks) { first.on(ranks, in(scratch)); });
  ASSERT_TRUE(exists(scratch / "manifest"));
  failing_run second{never};
  on_ranks(3, 1, [&](communicator& ranks) { EXPECT_EQ(second.on(ranks, in(scratch)), all_tasks); });
  EXPECT_LT(never - second.left(), static_cast<std::int64_t>(all_tasks) - 100);
}

TEST(checkpoints, of_other_parameters_are_refused_on_all_ranks) {
  const base::scratch_folder scratch;
  failing_run first{1800};
  on_ranks(2, 1, [&](communicator& ranks) { first.on(ranks, in(scratch)); });
  ASSERT_TRUE(exists(scratch / "manifest"));
  on_ranks(2, 1, [&](communicator& ranks) {
    run_options other = in(scratch);
    other.parameters = "others";
    const auto expand = [](int, auto&, std::uint64_t&) {};
    EXPECT_THROW(for_each_task(ranks, std::vector{1}, expand, sum, other), checkpoint_error);
  });
}

TEST(checkpoints, a_part_that_one_rank_cannot_read_is_refused_on_all_ranks) {
  const base::scratch_folder scratch;
  failing_run first{1800};
  on_ranks(2, 1, [&](communicator& ranks) { first.on(ranks, in(scratch)); });
  for (const auto& each : std::filesystem::directory_iterator{scratch.string()})
    if (each.path().string().ends_with(".1.part")) std::ofstream{each.path()} << "damaged";
  std::atomic<int> errors{0}, differ{0};
  on_ranks(2, 1, [&](communicator& ranks) {
    const auto expand = [](int, auto&, std::uint64_t&) {};
    failing_run second{never};
    try {
      second.on(ranks, in(scratch));
    } catch (...) {
    }
    try {
      for_each_task(ranks, std::vector{1}, expand, sum, in(scratch));
    } catch (const checkpoint_error&) {
      ++errors;
    } catch (const ranks_differ&) {
      ++differ;
    }
  });
  EXPECT_EQ(errors + differ, 2);
  EXPECT_GE(errors, 1);
}

TEST(checkpoints, a_full_disk_ends_the_run_with_the_name_of_the_file) {
  const base::scratch_folder scratch;
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);  // the write fails instead
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  std::string problems;
  std::mutex lock;
  on_ranks(2, 1, [&](communicator& ranks) {
    const auto expand = [](int level, auto& push, std::uint64_t& count) {
      const std::uint64_t until = base::now_ns() + 20'000;
      while (base::now_ns() < until) {
      }
      ++count;
      if (level > 0) push(level - 1), push(level - 1);
    };
    try {
      for_each_task(ranks, std::vector{10}, expand, sum, in(scratch));
    } catch (const std::runtime_error& problem) {
      const std::lock_guard guard{lock};
      problems += problem.what();
    }
  });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  EXPECT_NE(problems.find("cannot write the checkpoint"), std::string::npos) << problems;
  EXPECT_NE(problems.find(".part.new: File too large"), std::string::npos) << problems;
}

}  // namespace
}  // namespace filch::dist
