#include <bench/deques/mutex.hpp>
#include <bench/deques/problem.hpp>

using namespace bench::deques;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("mutex"));
  measure<mutex_deque>(me);
  return me.exit_status();
}
