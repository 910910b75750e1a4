#include <filch/base/raw_array.hpp>
#include <filch/base/text_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <sstream>
#include <string>
#include <vector>

namespace filch::base {
namespace {

std::uintptr_t address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// The flags of the mapping that `memory` lies in, as Linux tells them; empty where it does not.
std::string mapping_flags(const void* memory) {
  std::istringstream lines(read_text("/proc/self/smaps").text);
  bool is_in = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream range(line);
    std::uintptr_t from = 0, to = 0;
    char dash = 0;
    if (range >> std::hex >> from >> dash >> to && dash == '-') is_in = from <= address(memory) && address(memory) < to;
    if (is_in && line.starts_with("VmFlags:")) return line + ' ';
  }
  return {};
}

TEST(raw_array, of_some_mebibytes_begins_at_a_huge_page_and_asks_for_such) {
  const raw_array<std::uint64_t> large(worth_huge_pages / sizeof(std::uint64_t));
  EXPECT_EQ(address(large.data()) % huge_page_bytes, 0U);
  if (read_text("/sys/kernel/mm/transparent_hugepage/enabled").error)
    GTEST_SKIP() << "this system has no huge pages for who asks";
  EXPECT_NE(mapping_flags(large.data()).find(" hg "), std::string::npos) << mapping_flags(large.data());
  EXPECT_NE(mapping_flags(large.data() + large.size() - 1).find(" hg "), std::string::npos) << "to its end";
}

TEST(raw_array, that_is_small_takes_no_more_than_it_needs) {
  std::vector<raw_array<std::uint64_t>> all;
  std::vector<std::uintptr_t> begins;
  for (int i = 0; i < 1000; ++i) {
    all.emplace_back(8);
    begins.push_back(address(all.back().data()));
  }
  const auto [least, most] = std::minmax_element(begins.begin(), begins.end());
  EXPECT_LT(*most - *least, 100U * huge_page_bytes);
}

struct alignas(128) line_pair {
  char bytes[128];
};

TEST(raw_array, is_aligned_as_its_elements) {
  EXPECT_EQ(address(raw_array<line_pair>(1).data()) % alignof(line_pair), 0U);
  EXPECT_EQ(address(raw_array<line_pair>(worth_huge_pages / sizeof(line_pair)).data()) % huge_page_bytes, 0U);
}

TEST(raw_array, of_elements_that_no_multiple_fills_has_room_for_all) {
  struct odd {
    char bytes[7];
  };
  for (const std::size_t size : {worth_huge_pages / sizeof(odd), worth_huge_pages / sizeof(odd) + 1}) {
    const raw_array<odd> made(size);
    made[size - 1].bytes[6] = 1;
    EXPECT_EQ(made.size(), size);
  }
}

TEST(raw_array, of_more_bytes_than_there_are_numbers_for_is_refused) {
  const volatile std::size_t too_many = std::numeric_limits<std::size_t>::max() / sizeof(std::uint64_t) + 2;  // times 8 is 8
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
