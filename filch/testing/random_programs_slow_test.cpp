#include <filch/testing/explore_programs_test.hpp>

namespace filch::inline v0_2::testing {
namespace {

TEST(random_programs, run_everything_exactly_once) {
  explore_programs("random programs", 1, scarcity::none);
}
TEST(random_programs, get_by_where_threads_are_refused) {
  explore_programs("random programs, threads refused", 4, scarcity::threads);
}

}  // namespace
}  // namespace filch::testing
