#include <filch/base/raw_array.hpp>
#include <filch/base/sanitized_test.hpp>
#include <filch/base/text_file.hpp>

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <cstdint>
#include <limits>
#include <new>
#include <sstream>
#include <string>

namespace filch::inline v0_2::base {
namespace {

std::uintptr_t address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// The flags of the mapping that contains `memory`, from Linux; empty if it does not say.
std::string mapping_flags(const void* memory) {
  std::istringstream lines(read_text("/proc/self/smaps").text);
  bool is_in = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream range(line);
    std::uintptr_t from = 0, to = 0;
    char dash = 0;
    if (range >> std::hex >> from >> dash >> to && dash == '-')
      is_in = from <= address(memory) && address(memory) < to;
    if (is_in && line.starts_with("VmFlags:")) return line + ' ';
  }
  return {};
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST(raw_array, of_some_mebibytes_asks_for_huge_pages) {
  const raw_array<char> large(worth_huge_pages), very_large(64 * mebibyte);
  char* const middle = large.data() + large.size() / 2;  // in a whole huge page, wherever it begins
  EXPECT_EQ(address(very_large.data()) % (2 * mebibyte), 0U) << "none is lost";
  if (read_text("/sys/kernel/mm/transparent_hugepage/enabled").error)
    GTEST_SKIP() << "this system has no huge pages for a program that asks";
  for (const char* const each :
       {middle, very_large.data(), very_large.data() + very_large.size() - 1}) {
    EXPECT_NE(mapping_flags(each).find(" hg "), std::string::npos) << mapping_flags(each);
  }
}

#if defined(__GLIBC__)
// A program that sorts again and again reuses the memory of the last time, as with
// `std::allocator`: it is not given back and mapped anew.
TEST(raw_array, of_some_mebibytes_is_made_of_what_the_last_one_left) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's allocator has habits of its own";
  const auto faults_of_next = [] {
    const auto faults = [] {
      ::rusage now{};
      ::getrusage(RUSAGE_SELF, &now);
      return now.ru_minflt;
    };
    const long before = faults();
    const raw_array<char> next(8 * mebibyte);
    for (std::size_t i = 0; i < next.size(); i += 4096) next[i] = 1;
    return faults() - before;
  };
  for (int i = 0; i < 5; ++i) faults_of_next();
  EXPECT_LE(faults_of_next(), 2);
}
#endif

struct alignas(128) line_pair {
  char bytes[128];
};

TEST(raw_array, is_aligned_as_its_elements) {
  EXPECT_EQ(address(raw_array<line_pair>(1).data()) % alignof(line_pair), 0U);
  EXPECT_EQ(address(raw_array<line_pair>(worth_huge_pages / sizeof(line_pair)).data()) %
                alignof(line_pair),
            0U);
}

TEST(raw_array, of_elements_that_no_multiple_fills_has_room_for_all) {
  struct odd {
    char bytes[7];
  };
  for (const std::size_t size :
       {worth_huge_pages / sizeof(odd), worth_huge_pages / sizeof(odd) + 1}) {
    const raw_array<odd> made(size);
    made[size - 1].bytes[6] = 1;
    EXPECT_EQ(made.size(), size);
  }
}

TEST(raw_array, of_more_bytes_than_there_are_numbers_for_is_refused) {
  // Times 8 is 8
  const volatile std::size_t too_many =
      std::numeric_limits<std::size_t>::max() / sizeof(std::uint64_t) + 2;
  EXPECT_THROW(raw_array<std::uint64_t>{too_many}, std::bad_alloc);
}

TEST(raw_array, a_move_leaves_an_empty_one) {
  raw_array<int> first(5);
  int* const memory = first.data();
  raw_array<int> second(std::move(first));
  EXPECT_EQ(first.size(), 0U);
  EXPECT_EQ(first.data(), nullptr);
  EXPECT_EQ(second.data(), memory);
  first = std::move(second);
  EXPECT_EQ(first.data(), memory);
  EXPECT_EQ(first.size(), 5U);
  EXPECT_EQ(second.data(), nullptr);
}

}  // namespace
}  // namespace filch::base
