// Ranges of more than 2^32 elements. Memory that nobody has written is one page of zeros, however much there is of it.
#include <filch/base/reservation.hpp>
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <span>

namespace filch::algo {
namespace {

constexpr std::uint64_t past_32_bits = (std::uint64_t{1} << 32) + 12'345;

class huge_ranges : public ::testing::Test {
 protected:
  base::reservation memory_{past_32_bits + 1'000};
  std::span<char> all_{static_cast<char*>(memory_.data()), past_32_bits + 1'000};
};

TEST_F(huge_ranges, a_loop_covers_every_index) {
  std::atomic<std::uint64_t> covered{0};
  parallel_for(std::uint64_t{0}, past_32_bits << 20,
               [&](index_range<std::uint64_t> piece) { covered += *piece.end() - *piece.begin(); });
  EXPECT_EQ(covered, past_32_bits << 20);
}

TEST_F(huge_ranges, a_count_does_not_wrap) {
  all_[past_32_bits] = 1;
  EXPECT_EQ(filch::count(all_, 0), static_cast<std::ptrdiff_t>(all_.size() - 1));
}

TEST_F(huge_ranges, a_search_comes_to_what_lies_behind) {
  all_[past_32_bits] = 1;
  EXPECT_EQ(filch::find(all_, 1) - all_.begin(), static_cast<std::ptrdiff_t>(past_32_bits));
  EXPECT_EQ(filch::max_element(all_) - all_.begin(), static_cast<std::ptrdiff_t>(past_32_bits));
  EXPECT_FALSE(filch::is_sorted(all_));
}

}  // namespace
}  // namespace filch::algo
