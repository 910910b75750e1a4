// The same program without a pool: what the measuring itself uses.
#include <bench/idle/problem.hpp>

namespace {

struct no_pool {
  void work() {}
  void submit(auto f) { f(); }
  void run(auto f) { f(); }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::idle::as("serial"));
  bench::idle::measure(me, no_pool{});
  return me.exit_status();
}
