// Files: what is written reads back, and what is no whole file is refused in clear words.
#include <filch/base/corpus_fuzz.hpp>
#include <filch/trace/analysis_part.hpp>
#include <filch/trace/bytes.hpp>
#include <filch/trace/compress.hpp>
#include <filch/trace/file.hpp>
#include <filch/trace/file_format.hpp>
#include <filch/trace/file_fuzz.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <system_error>

#include <sys/resource.h>
#include <unistd.h>

namespace {

using filch::event::recording;
using filch::trace::bad_file;

std::string message_of(std::string_view bytes) {
  try {
    filch::trace::from_bytes(bytes);
    return "";
  } catch (const bad_file& problem) {
    return problem.what();
  }
}

TEST(bytes, numbers_of_every_size_come_back) {
  filch::trace::byte_writer out;
  const std::uint64_t numbers[] = {
      0, 1, 127, 128, 16383, 16384, std::uint64_t{1} << 63, ~std::uint64_t{0}};
  const std::int64_t others[] = {0, -1, 1, std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max()};
  for (const std::uint64_t each : numbers) out.put(each);
  for (const std::int64_t each : others) out.put_signed(each);
  filch::trace::byte_reader in{out.bytes(), "the test"};
  for (const std::uint64_t each : numbers) EXPECT_EQ(in.take(), each);
  for (const std::int64_t each : others) EXPECT_EQ(in.take_signed(), each);
  EXPECT_EQ(in.left(), 0u);
  EXPECT_THROW(in.take(), bad_file);
}

TEST(compress, what_shrinks_comes_back_and_a_lie_about_its_size_is_seen) {
  if (!filch::trace::has_compression()) GTEST_SKIP() << "this build is without zlib";
  const std::string many(10'000, 'x');
  const std::string few = filch::trace::compressed(many);
  EXPECT_LT(few.size(), 100u);
  EXPECT_EQ(filch::trace::decompressed(few, many.size()), many);
  EXPECT_THROW(filch::trace::decompressed(few, many.size() + 1), bad_file);
  EXPECT_THROW(filch::trace::decompressed(few, std::size_t{1} << 40), bad_file)
      << "no memory is taken for a lie";
  EXPECT_EQ(filch::trace::compressed("x"), "") << "it would not shrink";
}

TEST(file_format, the_checksum_is_the_published_one) {
  EXPECT_EQ(filch::trace::checksum(""), 0x811c9dc5u);
  EXPECT_EQ(filch::trace::checksum("a"), 0xe40c292cu);
  EXPECT_EQ(filch::trace::checksum("foobar"), 0xbf9cf968u);
}

TEST(file, a_recording_comes_back) {
  const recording written = filch::trace::some_recording(7, 5000);
  const recording read = filch::trace::from_bytes(filch::trace::to_bytes(written));
  EXPECT_EQ(filch::trace::difference(written, read), "");
}

TEST(file, an_empty_recording_comes_back) {
  const recording read = filch::trace::from_bytes(filch::trace::to_bytes({}));
  EXPECT_TRUE(read.entries.empty());
  EXPECT_EQ(read.sites.size(), 1u) << "the unknown site is always there";
}

TEST(file, a_file_that_is_cut_off_anywhere_is_refused) {
  const std::string whole = filch::trace::to_bytes(filch::trace::some_recording(1, 100));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(message_of(whole.substr(0, length)), "") << length;
  EXPECT_EQ(message_of(whole), "");
}

TEST(file, a_byte_that_changed_anywhere_is_noticed_or_changes_nothing_but_itself) {
  const std::string whole = filch::trace::to_bytes(filch::trace::some_recording(2, 50));
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    refused += message_of(damaged) != "" ? 1 : 0;
    EXPECT_EQ(filch::trace::violation_of_file(damaged), "");
  }
  EXPECT_GT(refused, whole.size() * 9 / 10);
}

TEST(file, the_messages_say_what_is_wrong) {
  EXPECT_EQ(message_of("#!/bin/sh\necho hello"), "the file is no recording of filch's");
  std::string newer = filch::trace::to_bytes({});
  newer[8] = 9;
  EXPECT_EQ(message_of(newer), "the file has version 9, and this filch reads 1");
  const std::string whole = filch::trace::to_bytes(filch::trace::some_recording(1, 100));
  EXPECT_EQ(message_of(whole.substr(0, whole.size() - 1)), "the file ends too early");
}

TEST(file, one_of_before_jobs_were_recorded_is_read) {
  const recording old =
      filch::trace::from_bytes(filch::base::corpus_texts(FILCH_CORPUS "/file.txt").at("plain"));
  ASSERT_FALSE(old.entries.empty());
  for (const auto& each : old.entries) EXPECT_NE(each.what.what, filch::event::kind::job_changed);
  EXPECT_EQ(filch::trace::difference(old, filch::trace::from_bytes(filch::trace::to_bytes(old))),
            "");
}

// A reader that does not know the name `rename` skips that part: an older or a newer program.
std::string with_part_renamed(std::string bytes, std::string_view part, std::string_view rename) {
  const std::size_t at = bytes.find(part);
  EXPECT_NE(at, bytes.npos);
  return bytes.replace(at, rename.size(), rename);
}

/// The file with other contents of one part.
template <class Change>
std::string with_part_changed(const std::string& file, std::string_view wanted, Change change) {
  namespace trace = filch::trace;
  trace::byte_reader old{file, "the file"};
  std::string made{old.take_bytes(trace::file_magic.size())};
  trace::byte_writer parts;
  parts.put(old.take());
  while (old.left() != 0) {
    const std::string name{old.take_text()};
    const auto how = static_cast<trace::packing>(old.take());
    const std::uint64_t size = old.take();
    old.take();
    const std::string stored{old.take_text()};
    std::string contents =
        how == trace::packing::deflate ? trace::decompressed(stored, size) : stored;
    if (name == wanted) contents = change(contents);
    parts.put_text(name);
    parts.put(static_cast<std::uint64_t>(trace::packing::plain));
    parts.put(contents.size());
    parts.put(trace::checksum(contents));
    parts.put_text(contents);
  }
  return made + parts.release();
}

TEST(file, a_kind_that_is_not_known_states_what_its_worker_does_and_nothing_of_its_jobs) {
  using filch::event::kind;
  recording written = filch::trace::some_recording(2, 1);
  written.entries[0].what.what = kind::futile_wake;
  written.entries[0].what.doing = filch::event::activity::working;
  written.entries[0].what.amount = 7;
  const std::string later =
      with_part_changed(filch::trace::to_bytes(written), "names", [](std::string names) {
        return names.replace(names.find("futile_wakes"), 12, "what_will_be");
      });
  const recording read = filch::trace::from_bytes(later);
  ASSERT_EQ(read.entries.size(), 1u);
  EXPECT_EQ(read.entries[0].what.what, kind::state_changed);
  EXPECT_EQ(read.entries[0].what.doing, filch::event::activity::working);
  EXPECT_EQ(read.entries[0].what.amount, 0u) << "else it would be a look at the worker's queue";
}

TEST(file, work_and_span_come_back_and_an_older_reader_reads_the_rest) {
  const recording written = filch::trace::some_recording(1, 100);
  ASSERT_TRUE(written.analyzed);
  const std::string bytes = filch::trace::to_bytes(written);
  EXPECT_EQ(filch::trace::difference(written, filch::trace::from_bytes(bytes)), "");
  recording without = filch::trace::from_bytes(with_part_renamed(bytes, "analysis", "whatever"));
  EXPECT_FALSE(without.analyzed);
  without.analyzed = written.analyzed;
  EXPECT_EQ(filch::trace::difference(written, without), "");
}

TEST(file, facts_that_are_not_known_are_passed_over) {
  const recording written = filch::trace::some_recording(1, 100);
  ASSERT_NE(written.fork_ps, 0u);
  const std::string later = with_part_changed(
      filch::trace::to_bytes(written), "facts",
      [](std::string facts) { return facts.replace(facts.find("fork_ps"), 7, "fork_xy"); });
  const recording read = filch::trace::from_bytes(later);
  EXPECT_EQ(read.fork_ps, 0u);
  EXPECT_EQ(read.reused_rings, written.reused_rings);
}

TEST(file, an_analysis_with_times_that_are_none_is_refused) {
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(), -1.0, 1e30}) {
    recording written = filch::trace::some_recording(1, 10);
    written.analyzed->span_ns = wrong;
    EXPECT_EQ(message_of(filch::trace::to_bytes(written)),
              "the part 'analysis' holds a time that is none")
        << wrong;
    written.analyzed->span_ns = 1;
    written.analyzed->sites.resize(1);
    written.analyzed->sites[0].leaf_ns = wrong;
    EXPECT_EQ(message_of(filch::trace::to_bytes(written)),
              "the part 'analysis' holds a time that is none")
        << wrong;
  }
}

TEST(file, unknown_fields_of_an_analysis_are_passed_over_and_missing_ones_keep_their_value) {
  filch::trace::byte_writer part;
  part.put(0);  // sites
  part.put(0);  // their fields
  part.put(3);  // of all
  const auto put_field = [&](std::string_view name, std::uint64_t kind, std::string_view values) {
    part.put_text(name);
    part.put(kind);
    part.put_text(values);
  };
  put_field("from_the_future", 7, "of whatever length");
  put_field("forks", 0, "\x05");
  put_field("strands", 1, "");  // counted in another way, one day
  part.put(0);                  // costs
  filch::trace::byte_reader bytes{part.bytes(), "the test"};
  const filch::analysis::result read = filch::trace::read_analysis(bytes);
  EXPECT_EQ(read.forks, 5u);
  EXPECT_EQ(read.strands, 0u);
  EXPECT_EQ(read.work_ns, 0);
  EXPECT_EQ(read.costs.tick_ns, 1);
}

TEST(file, reading_and_writing_name_the_file) {
  try {
    filch::trace::read_file("/no/such/file");
    FAIL();
  } catch (const std::system_error& problem) {
    EXPECT_EQ(problem.code(), std::errc::no_such_file_or_directory);
    EXPECT_NE(std::string{problem.what()}.find("/no/such/file"), std::string::npos);
  }
  EXPECT_THROW(filch::trace::write_file({}, "/no/such/file"), std::system_error);
}

TEST(file, a_device_is_written_to_and_not_replaced) {
  filch::trace::write_file({}, "/dev/null");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

/// A folder of this test's own, removed with it.
struct own_folder {
  own_folder() { std::filesystem::create_directories(path); }
  ~own_folder() { std::filesystem::remove_all(path); }
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator{path},
                                                  std::filesystem::directory_iterator{}));
  }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("filch_file_test_" + std::to_string(::getpid()));
};

/// Meanwhile a file takes so many bytes and then no more, as a disk that is full.
struct full_disk {
  explicit full_disk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before);
    rlimit now = before;
    now.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~full_disk() {
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }
  rlimit before{};
  void (*handler)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

TEST(file, a_file_that_cannot_be_written_whole_leaves_the_old_one) {
  const own_folder folder;
  const std::string path = folder.path / "out.filch";
  filch::trace::write_file(filch::trace::some_recording(3, 10), path);
  {
    const full_disk here{100};
    EXPECT_THROW(filch::trace::write_file(filch::trace::some_recording(3, 20), path),
                 std::system_error);
  }
  EXPECT_EQ(filch::trace::read_file(path).entries.size(), 10u);
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(file, a_link_leads_where_it_led_before) {
  const own_folder folder;
  const std::filesystem::path link = folder.path / "latest.filch", file = folder.path / "42.filch",
                              device = folder.path / "nowhere";
  std::filesystem::create_symlink(file, link);
  for (const std::size_t count : {10u, 20u}) {  // there is no such file at first
    filch::trace::write_file(filch::trace::some_recording(3, count), link);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(file)));
    EXPECT_EQ(filch::trace::read_file(file).entries.size(), count);
  }
  std::filesystem::create_symlink("/dev/null", device);
  filch::trace::write_file({}, device);
  EXPECT_EQ(std::filesystem::read_symlink(device), "/dev/null");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(folder.file_count(), 3u);
}

TEST(file, has_the_permissions_of_the_old_one_and_all_its_names) {
  const own_folder folder;
  const std::filesystem::path file = folder.path / "mine.filch",
                              other_name = folder.path / "ours.filch";
  filch::trace::write_file(filch::trace::some_recording(3, 10), file);
  const auto only_mine = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions(file, only_mine);
  filch::trace::write_file(filch::trace::some_recording(3, 20), file);
  EXPECT_EQ(std::filesystem::status(file).permissions(), only_mine);
  std::filesystem::create_hard_link(file, other_name);
  filch::trace::write_file(filch::trace::some_recording(3, 30), file);
  EXPECT_EQ(filch::trace::read_file(other_name).entries.size(), 30u);
  EXPECT_EQ(folder.file_count(), 2u);
}

TEST(file, where_none_can_be_made_beside_it_is_written_in_place) {
  const own_folder folder;
  const std::string path = folder.path / std::string(255, 'n');  // no name is longer
  for (const std::size_t count : {10u, 20u}) {
    filch::trace::write_file(filch::trace::some_recording(3, count), path);
    EXPECT_EQ(filch::trace::read_file(path).entries.size(), count);
  }
}

TEST(file, what_prevents_writing_is_told_before) {
  const own_folder folder;
  const std::string made = folder.path / "made";
  filch::trace::write_file({}, made);
  for (const std::string& path :
       {made, std::string{folder.path / "new"}, std::string{"new_here"}}) {
    EXPECT_FALSE(filch::trace::what_prevents_writing(path)) << path;
  }
  EXPECT_EQ(filch::trace::what_prevents_writing("/no/such/file"),
            std::errc::no_such_file_or_directory);
  EXPECT_EQ(filch::trace::what_prevents_writing(made + "/file"), std::errc::not_a_directory);
}

}  // namespace
