#include <bench/merge/problem.hpp>

namespace {

struct serial {
  void merge(const auto& left, const auto& right, auto& out) {
    std::ranges::merge(left, right, out.begin());
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::merge::as("serial"));
  serial peer;
  bench::merge::measure(me, peer);
  return me.exit_status();
}
