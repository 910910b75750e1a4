#include <bench/harness/tbb_threads.hpp>
#include <bench/sum/entry.hpp>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <functional>

using namespace bench::sum;

namespace {

std::uint64_t on_tbb(const parameters& p) {
  using range = oneapi::tbb::blocked_range<std::uint64_t>;
  return oneapi::tbb::parallel_reduce(
      range(0, p.count), std::uint64_t{0},
      [&p](const range& part, std::uint64_t total) {
        for (std::uint64_t i = part.begin(); i != part.end(); ++i) total += element(p, i);
        return total;
      },
      std::plus<>{});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const parameters& p) { return threads.run([&] { return on_tbb(p); }); });
  return me.exit_status();
}
