#include <bench/deques/filch.hpp>
#include <bench/deques/problem.hpp>

using namespace bench::deques;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  measure<filch_deque>(me);
  return me.exit_status();
}
