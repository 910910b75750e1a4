// Memory for recordings is taken also where signals come all the time, as a profiler's: some kernels give up at each, and then so does the call here, in
// all tests of this program.
#if defined(__linux__)
#include <filch/trace/segment.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

namespace {

bool was_interrupted = false;

}  // namespace

extern "C" int posix_fallocate(int file, off_t offset, off_t bytes) {
  constexpr off_t most_between_signals = off_t{2} << 20;
  was_interrupted = !was_interrupted;
  if (was_interrupted || bytes > most_between_signals) return EINTR;
  if (::fallocate(file, 0, offset, bytes) == 0) return 0;
  return errno == EOPNOTSUPP ? (::ftruncate(file, offset + bytes) == 0 ? 0 : errno) : errno;
}

namespace {

TEST(segment, takes_its_memory_though_signals_come_all_the_time) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("filch_interrupted_test_" + std::to_string(::getpid()));
  filch::trace::own_segment made{path};
  constexpr std::uint64_t places = std::uint64_t{1} << 18;
  made.set_ring_places(places);
  filch::trace::row& row = made.header().rows[0];
  ASSERT_TRUE(made.add_ring(row));
  EXPECT_EQ(row.ring_places.load(filch::base::relaxed), places);
  EXPECT_GT(std::filesystem::file_size(path), places * 8);
}

}  // namespace
#endif
