#include <bench/dispatch/problem.hpp>
#include <filch/filch.hpp>

#include <cstdlib>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::dispatch::as("filch"));
  // A loop from outside uses the default pool, and this is how its width is set.
  ::setenv("FILCH_WORKERS", std::to_string(me.workers()).c_str(), 1);
  bench::dispatch::measure_where(
      me, [](auto f) { filch::default_pool().run(f); },
      [](auto body) { filch::parallel_for(0, 2, body); });
  return me.exit_status();
}
