// `filch machine --measure` divides the time of a fork and its join by the accesses that the
// simulation counts for it. The program cannot count them, as it links the shipped library.
#include <filch/testing/machine/scale.hpp>
#include <gtest/gtest.h>
#include <tools/cli/machine/empty_joins.hpp>
#include <tools/cli/machine/measure.hpp>

namespace filch::cli {
namespace {

TEST(accesses_per_join, is_what_the_simulation_counts) {
  constexpr unsigned depth = 14;
  constexpr unsigned one[] = {1};
  const auto point = testing::scale([] { empty_joins(depth); }, testing::machine{}, one).at(0);
  // The run as a whole has some accesses of its own
  EXPECT_NEAR(static_cast<double>(point.accesses) / empty_join_count(depth), accesses_per_join,
              0.02);
}

}  // namespace
}  // namespace filch::cli
