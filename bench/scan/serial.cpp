#include <bench/scan/problem.hpp>

namespace {

struct plainly {
  void sum(const auto& in, auto& out) { std::inclusive_scan(in.begin(), in.end(), out.begin()); }
  void sum_before(const auto& in, auto& out) {
    std::exclusive_scan(in.begin(), in.end(), out.begin(), std::uint64_t{0});
  }
  void copy_odd(const auto& in, auto& out) {
    std::copy_if(in.begin(), in.end(), out.begin(), bench::scan::is_odd);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::scan::as("serial"));
  plainly solver;
  bench::scan::measure(me, solver);
  return me.exit_status();
}
