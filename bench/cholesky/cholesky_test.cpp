#include <bench/cholesky/problem.hpp>
#include <gtest/gtest.h>

namespace {

using namespace bench::cholesky;

void run_all(matrix& a, const std::vector<step>& in_order) {
  for (const step& each : in_order) run(each, a);
}

TEST(cholesky, the_triangle_times_its_transpose_is_the_input) {
  for (const std::size_t tiles : {1u, 2u, 5u}) {
    const parameters p{tiles * side};
    matrix a = input(p);
    run_all(a, steps(tiles));
    EXPECT_EQ(check(p, a), "") << tiles;
  }
}

TEST(cholesky, a_step_that_is_left_out_is_noticed) {
  const parameters p{3 * side};
  const std::vector<step> all = steps(3);
  for (std::size_t left_out = 0; left_out != all.size(); ++left_out) {
    std::vector<step> others = all;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    matrix a = input(p);
    run_all(a, others);
    EXPECT_NE(check(p, a), "") << left_out;
  }
}

TEST(cholesky, each_step_reads_tiles_that_are_not_written_again) {
  const std::vector<step> all = steps(6);
  for (auto reader = all.begin(); reader != all.end(); ++reader) {
    for (auto later = reader; later != all.end(); ++later) {
      EXPECT_FALSE(reader->reads > 0 && later->target == reader->left);
      EXPECT_FALSE(reader->reads > 1 && later->target == reader->right);
    }
  }
}

}  // namespace
