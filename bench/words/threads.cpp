// By hand: each thread takes the next file, because the cost of a file is unknown beforehand.
#include <bench/words/entry.hpp>

#include <atomic>
#include <thread>

using namespace bench::words;

namespace {

tally on_threads(const std::vector<file>& files, unsigned workers) {
  std::atomic<std::size_t> next{0};  // relaxed: the threads' end orders what they have counted
  std::vector<tally> parts(workers);
  const auto take_files = [&](tally& mine) {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < files.size();)
      count_file(files[i], mine);
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < workers; ++i) others.emplace_back([&, i] { take_files(parts[i]); });
    take_files(parts[0]);
  }
  tally all;
  for (tally& part : parts) all.join(std::move(part));
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("threads"));
  measure(me, [&](const std::vector<file>& files) { return on_threads(files, me.workers()); });
  return me.exit_status();
}
