#include <bench/sort/problem.hpp>

namespace {

struct serial {
  void sort(auto& values) { std::sort(values.begin(), values.end()); }
  void stable_sort(auto& values) { std::stable_sort(values.begin(), values.end()); }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::sort::as("serial"));
  serial peer;
  bench::sort::measure(me, peer);
  return me.exit_status();
}
