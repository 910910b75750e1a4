// The records that workers keep on disk before they overwrite them: what readers find, how big the
// file becomes, and what is left of a killed process.
#include <filch/trace/spool.hpp>

#include <filch/trace/collect.hpp>
#include <filch/trace/file.hpp>
#include <filch/trace/options.hpp>
#include <filch/trace/traced_child_test.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using filch::event::recording;
using filch::trace::child;
using filch::trace::item;
using filch::trace::own_file;
using filch::trace::spool_view;

constexpr std::uint64_t items = 128;  ///< Of a chunk.

/// A spool of this process. Item `i` of an owner has `i` in both words.
class filled_spool {
 public:
  explicit filled_spool(std::uint64_t chunks) {
    EXPECT_EQ(spool_.open(file.path, chunks * filch::trace::chunk_bytes(items), 2 * items, *header),
              0);
  }
  ~filled_spool() { spool_.close(*header); }
  void keep(std::uint64_t owner, std::uint64_t first, std::uint64_t count = items) {
    std::vector<filch::trace::word> words(2 * count);
    for (std::uint64_t i = 0; i < words.size(); ++i)
      words[i].store(first + i / 2, filch::base::relaxed);
    spool_.keep(owner, first, words);
  }
  /// The first item of what is found before `end`; nothing if there is none. Checks that the others
  /// follow.
  std::optional<std::uint64_t> oldest(std::uint64_t owner, std::uint64_t first, std::uint64_t end,
                                      std::uint64_t begin_ticks = 0) const {
    const std::vector<item> found =
        spool_view{*header, ::geteuid()}.before(owner, first, end, begin_ticks);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i], (item{end - found.size() + i, end - found.size() + i}));
    }
    return found.empty() ? std::optional<std::uint64_t>{} : found.front()[0];
  }

  const own_file file{"filch_spool_test_"};
  const std::unique_ptr<filch::trace::segment_header> header =
      std::make_unique<filch::trace::segment_header>();

 private:
  filch::trace::own_spool spool_;
};

TEST(spool, has_what_an_owner_wrote_before_what_its_ring_has) {
  filled_spool made{100};
  for (std::uint64_t i = 0; i < 5; ++i) {
    made.keep(1, i * items);
    made.keep(2, i * items + 7);
  }
  EXPECT_EQ(made.oldest(1, 0, 4 * items + 3), 0u);
  EXPECT_EQ(made.oldest(1, 2 * items + 5, 4 * items), 2 * items + 5)
      << "what came before is another owner's";
  EXPECT_EQ(made.oldest(2, 0, 5 * items), 7u);
  EXPECT_EQ(made.oldest(3, 0, 5 * items), std::nullopt);
}

TEST(spool, what_lies_behind_a_gap_is_not_taken) {
  filled_spool made{100};
  for (const std::uint64_t i : {0, 1, 3, 4}) made.keep(1, i * items);
  EXPECT_EQ(made.oldest(1, 0, 5 * items), 3 * items);
  EXPECT_EQ(made.oldest(1, 0, 5 * items + 1), std::nullopt);
}

TEST(spool, is_read_no_further_back_than_the_reader_asks) {
  filled_spool made{100};
  for (std::uint64_t i = 0; i < 5; ++i) made.keep(1, i * items);
  EXPECT_EQ(made.oldest(1, 0, 5 * items, 3 * items + 1), 3 * items);
}

TEST(spool, that_is_full_drops_the_oldest) {
  filled_spool made{20};
  for (std::uint64_t i = 0; i < 30; ++i) made.keep(1, i * items);
  EXPECT_EQ(made.oldest(1, 0, 30 * items), 10 * items);
  EXPECT_LE(std::filesystem::file_size(made.file.path), 20 * filch::trace::chunk_bytes(items));
}

TEST(spool, is_for_its_owner_alone_and_goes_with_the_recording) {
  std::string path;
  {
    const filled_spool made{20};
    path = made.file.path;
    EXPECT_EQ(std::filesystem::status(path).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    EXPECT_TRUE(spool_view(*made.header, ::geteuid() + 1).before(1, 0, items, 0).empty())
        << "another user's is not read";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(spool, one_that_was_cut_off_or_overwritten_is_read_without_leaving_it) {
  filled_spool made{20};
  for (std::uint64_t i = 0; i < 3; ++i) made.keep(1, i * items);
  std::filesystem::resize_file(made.file.path, 2 * filch::trace::chunk_bytes(items) + 100);
  EXPECT_EQ(made.oldest(1, 0, 3 * items), std::nullopt);
  EXPECT_EQ(made.oldest(1, 0, 2 * items), 0u);
  made.header->spool_items.store(~std::uint64_t{0}, filch::base::relaxed);
  EXPECT_EQ(made.oldest(1, 0, 2 * items), std::nullopt);
}

TEST(options, the_size_of_a_spool_has_units) {
  using filch::trace::parse_spool_bytes;
  EXPECT_EQ(parse_spool_bytes(""), 256'000'000u);
  EXPECT_EQ(parse_spool_bytes("0"), 0u);
  EXPECT_EQ(parse_spool_bytes("12345"), 12'345u);
  EXPECT_EQ(parse_spool_bytes("3K"), 3'000u);
  EXPECT_EQ(parse_spool_bytes("20M"), 20'000'000u);
  EXPECT_EQ(parse_spool_bytes("2G"), 2'000'000'000u);
  for (const char* const bad : {"G", "1T", "1GB", "-1", "1 G", "1001G", "99999999999999999999"})
    EXPECT_THROW(parse_spool_bytes(bad), std::invalid_argument) << bad;
}

/// A program that records jobs in rings of 256 records, with so much on disk.
class small_rings {
 public:
  small_rings(const char* mode, const char* size, const char* most_bytes) {
    ::setenv("FILCH_TRACE_RING", "256", 1);
    ::setenv("FILCH_TRACE_MAX_SIZE", most_bytes, 1);
    program.emplace(mode, size, file.path + ":jobs");
    ::unsetenv("FILCH_TRACE_RING");
    ::unsetenv("FILCH_TRACE_MAX_SIZE");
  }
  std::string spool() const { return filch::trace::spool_path(file.path, program->number()); }
  recording collect() const {
    return filch::trace::collect(
        filch::trace::segment_view{filch::trace::segment_path(program->number())});
  }

  const own_file file{"filch_small_rings_"};
  std::optional<child> program;
};

std::uint64_t lost_of(const recording& all) {
  std::uint64_t sum = 0;
  for (const auto& each : all.workers) sum += each.lost;
  return sum;
}

TEST(recordings, of_a_program_that_ends_have_all_that_rings_lost) {
  small_rings made{"fib", "25", "20M"};
  ASSERT_EQ(made.program->wait(), 0);
  const recording all = filch::trace::read_file(made.file.path);
  EXPECT_EQ(lost_of(all), 0u);
  EXPECT_GT(all.entries.size(), 20'000u);
  EXPECT_FALSE(std::filesystem::exists(made.spool()));
}

TEST(recordings, without_a_spool_have_what_rings_keep) {
  small_rings made{"fib", "25", "0"};
  ASSERT_EQ(made.program->wait(), 0);
  const recording all = filch::trace::read_file(made.file.path);
  EXPECT_GT(lost_of(all), 10'000u);
  EXPECT_LE(all.entries.size(), all.workers.size() * 260);
}

/// Waits until a program has recorded so many events, and kills it.
recording killed_after(small_rings& made, std::size_t events) {
  recording before;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    before = made.collect();
  } while (before.entries.size() + lost_of(before) < events);
  EXPECT_EQ(made.program->kill(), 1000 + SIGKILL);
  return made.collect();
}

TEST(recordings, of_a_program_that_was_killed_have_all_that_rings_lost) {
  small_rings made{"spin", "27", "20M"};
  const recording all = killed_after(made, 40'000);
  EXPECT_EQ(lost_of(all), 0u);
  EXPECT_GE(all.entries.size(), 40'000u);
  EXPECT_TRUE(std::filesystem::exists(made.spool()));
  filch::trace::remove_segment(made.program->number());
  EXPECT_FALSE(std::filesystem::exists(made.spool()));
  EXPECT_FALSE(std::filesystem::exists(filch::trace::segment_path(made.program->number())));
}

TEST(recordings, that_become_too_big_say_what_they_dropped) {
  small_rings made{"spin", "27", "100K"};
  const recording all = killed_after(made, 30'000);
  EXPECT_GT(lost_of(all), 10'000u);
  EXPECT_GT(all.entries.size(), 4'000u) << "what there is room for is there";
  EXPECT_LE(std::filesystem::file_size(made.spool()), 100'000u);
}

}  // namespace
