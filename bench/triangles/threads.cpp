// By hand: each thread takes the next chunk of the loop, as nobody knows beforehand what a chunk
// costs.
#include <bench/triangles/entry.hpp>

#include <atomic>
#include <thread>

using namespace bench::triangles;

namespace {

constexpr vertex chunk = 64;

std::uint64_t on_threads(const graph& g, unsigned workers) {
  // Relaxed: the threads' end orders what they have counted
  std::atomic<std::uint64_t> next{0}, total{0};
  const auto take_chunks = [&] {
    std::uint64_t count = 0;
    for (std::uint64_t first;
         (first = next.fetch_add(chunk, std::memory_order_relaxed)) < g.size();) {
      for (std::uint64_t v = first; v < std::min<std::uint64_t>(first + chunk, g.size()); ++v)
        count += triangles_at(g, static_cast<vertex>(v));
    }
    total.fetch_add(count, std::memory_order_relaxed);
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < workers; ++i) others.emplace_back(take_chunks);
    take_chunks();
  }
  return total.load(std::memory_order_relaxed);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("threads"));
  measure(me, [&](const graph& g) { return on_threads(g, me.workers()); });
  return me.exit_status();
}
