#include <bench/integer_sort/problem.hpp>

namespace {

struct serial {
  void sort(auto& values) { std::sort(values.begin(), values.end()); }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::integer_sort::as("serial"));
  serial peer;
  bench::integer_sort::measure(me, peer);
  return me.exit_status();
}
