#include <bench/bfs/entry.hpp>
#include <bench/harness/tbb_threads.hpp>

#include <oneapi/tbb/blocked_range.h>

using namespace bench::bfs;

namespace {

std::vector<std::uint32_t> on_tbb(const graph& g, vertex source) {
  return by_levels(g, source, [](std::size_t count, const auto& body) {
    using range = oneapi::tbb::blocked_range<std::size_t>;
    oneapi::tbb::parallel_for(range(0, count),
                              [&](const range& chunk) { body(chunk.begin(), chunk.end()); });
  });
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const graph& g, vertex source) {
    return threads.run([&] { return on_tbb(g, source); });
  });
  return me.exit_status();
}
