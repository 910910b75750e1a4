// Memory for recordings is taken also where signals come all the time, as a profiler's: some
// kernels give up at each, and then so does the call here, in all tests of this program.
#if defined(__linux__)
#include <filch/trace/segment.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <utility>

namespace {

bool was_interrupted = false;
off_t most_bytes = off_t{1} << 40;  ///< That a file may have.

}  // namespace

extern "C" int posix_fallocate(int file, off_t offset, off_t bytes) {
  constexpr off_t most_between_signals = off_t{2} << 20;
  was_interrupted = !was_interrupted;
  if (was_interrupted || bytes > most_between_signals) return EINTR;
  if (offset + bytes > most_bytes) return ENOSPC;
  if (::fallocate(file, 0, offset, bytes) == 0) return 0;
  return errno == EOPNOTSUPP ? (::ftruncate(file, offset + bytes) == 0 ? 0 : errno) : errno;
}

namespace {

TEST(segment, takes_its_memory_though_signals_come_all_the_time) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("filch_interrupted_test_" + std::to_string(::getpid()));
  filch::trace::own_segment made{path};
  constexpr std::uint64_t places = std::uint64_t{1} << 18;
  made.set_ring_places(places);
  filch::trace::row& row = made.header().rows[0];
  ASSERT_TRUE(made.add_ring(row));
  EXPECT_EQ(row.ring_places.load(filch::base::relaxed), places);
  EXPECT_GT(std::filesystem::file_size(path), places * 8);
}

TEST(segment, gives_back_what_a_ring_that_finds_no_room_has_taken) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("filch_no_room_test_" + std::to_string(::getpid()));
  filch::trace::own_segment made{path};
  made.set_ring_places(std::uint64_t{1} << 20);
  const off_t before = std::exchange(most_bytes, off_t{6} << 20);
  ASSERT_TRUE(made.add_ring(made.header().rows[0]));
  most_bytes = before;
  EXPECT_EQ(std::filesystem::file_size(path), made.header().file_bytes.load(filch::base::relaxed));
}

}  // namespace
#endif
