#include <bench/callers/problem.hpp>
#include <filch/filch.hpp>

#include <cstdlib>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::callers::as("filch"));
  ::setenv("FILCH_WORKERS", std::to_string(me.workers()).c_str(), 1);
  bench::callers::measure(
      me, [](int count, auto body) { filch::parallel_for(0, count, body); },
      [](auto job) { filch::default_pool().submit(job, filch::priority::background); });
  return me.exit_status();
}
