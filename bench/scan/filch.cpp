#include <bench/scan/problem.hpp>
#include <filch/algo.hpp>

namespace {

struct with_filch {
  filch::algo::settings how;

  void sum(const auto& in, auto& out) { filch::inclusive_scan(how, in, out.begin()); }
  void sum_before(const auto& in, auto& out) {
    filch::exclusive_scan(how, in, out.begin(), std::uint64_t{0});
  }
  void copy_odd(const auto& in, auto& out) {
    filch::copy_if(how, in, out.begin(), bench::scan::is_odd);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::scan::as("filch"));
  filch::thread_pool pool({.workers = me.workers()});
  pool.warm_up();
  with_filch solver{filch::with(pool)};
  if (me.variant() == "doubles-deterministic") solver.how.set(filch::deterministic);
  bench::scan::measure(me, solver);
  return me.exit_status();
}
