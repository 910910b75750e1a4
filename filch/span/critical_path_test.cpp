#include <filch/span/critical_path.hpp>
#include <gtest/gtest.h>

#include <map>

namespace filch::inline v0_2::span {
namespace {

std::map<std::uint32_t, double> parts(const shared_length& of) {
  std::map<std::uint32_t, double> all;
  of.for_each([&](std::uint32_t site, double ns) { all[site] += ns; });
  return all;
}

TEST(shared_length, adds_up_what_each_site_has) {
  shared_length length;
  length.add(3, 10);
  length.add(7, 20);
  length.add(3, 5);
  EXPECT_EQ(length.total(), 35);
  EXPECT_EQ(parts(length), (std::map<std::uint32_t, double>{{3, 15}, {7, 20}}));
}

TEST(shared_length, with_too_many_sites_the_longest_stay_and_nothing_gets_lost) {
  shared_length length;
  for (std::uint32_t site = 0; site != 100; ++site)
    length.add(site, site % 10 == 0 ? 1000 + site : 1);
  const auto told_apart = parts(length);
  double sum = 0;
  for (const auto& [site, ns] : told_apart) sum += ns;
  EXPECT_EQ(sum, length.total());
  for (std::uint32_t site = 0; site != 100; site += 10) {
    ASSERT_TRUE(told_apart.contains(site)) << site;
    EXPECT_EQ(told_apart.at(site), 1000 + site);
  }
  EXPECT_TRUE(told_apart.contains(shared_length::others));
}

TEST(shared_length, a_copy_has_the_same_parts) {
  shared_length length;
  for (std::uint32_t site = 0; site != 20; ++site) length.add(site, site);
  const shared_length copy = length;
  length.add(1, 5);
  EXPECT_EQ(copy.total(), 190);
  EXPECT_EQ(parts(copy).size(), 16u);
}

critical_path at(double span, double burdened) {
  critical_path place;
  place.span.add(0, span);
  place.burdened = burdened;
  return place;
}

TEST(wait_for_job, takes_the_later_of_two_ends) {
  critical_path waiter = at(50, 50);
  wait_for_job(waiter, at(10, 10), at(70, 70), 0);
  EXPECT_EQ(waiter.span.total(), 70);
  EXPECT_EQ(waiter.burdened, 70);
  wait_for_job(waiter, at(10, 10), at(20, 20), 0);
  EXPECT_EQ(waiter.span.total(), 70);
  EXPECT_EQ(waiter.burdened, 70);
}

TEST(wait_for_job, steals_only_what_is_longer_than_the_burden) {
  critical_path long_one = at(50, 50);
  wait_for_job(long_one, at(10, 10), at(50, 50), 30);
  EXPECT_EQ(long_one.burdened, 80) << "stolen";
  critical_path short_one = at(50, 50);
  wait_for_job(short_one, at(40, 40), at(50, 50), 30);
  EXPECT_EQ(short_one.burdened, 60) << "not stolen, behind the other";
}

}  // namespace
}  // namespace filch::span
