// Ranges of more than 2^32 elements. Unwritten memory is one page of zeros, however much there is
// of it.
#include <filch/base/reservation.hpp>
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <span>
#include <tuple>
#include <vector>

namespace filch::inline v0_2::algo {
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
               [&](index_range<std::uint64_t> chunk) { covered += *chunk.end() - *chunk.begin(); });
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

TEST_F(huge_ranges, what_lies_behind_is_chosen_summed_and_compared) {
  all_[past_32_bits] = 3;
  const auto is_set = [](char each) { return each != 0; };
  char found[2] = {};
  EXPECT_EQ(filch::copy_if(all_, &found[0], is_set).out, found + 1);
  EXPECT_EQ(found[0], 3);
  EXPECT_EQ(filch::reduce(all_, std::uint64_t{0}), 3u);
  EXPECT_EQ(filch::histogram(all_, 4), (std::vector<std::uint64_t>{all_.size() - 1, 0, 0, 1}));
  const auto value = [](const auto& each) { return std::get<1>(each); };
  EXPECT_EQ(std::get<0>(filch::top_k(filch::views::enumerate(all_), 1, {}, value)[0]),
            past_32_bits);
  const base::reservation zeros{all_.size()};
  const std::span<const char> others{static_cast<const char*>(zeros.data()), all_.size()};
  EXPECT_EQ(filch::mismatch(all_, others).in2 - others.begin(),
            static_cast<std::ptrdiff_t>(past_32_bits));
  EXPECT_FALSE(filch::equal(all_, others));
}

}  // namespace
}  // namespace filch::algo
