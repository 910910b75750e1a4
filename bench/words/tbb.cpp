#include <bench/harness/tbb_threads.hpp>
#include <bench/words/entry.hpp>

#include <oneapi/tbb/combinable.h>

using namespace bench::words;

namespace {

tally on_tbb(const std::vector<file>& files) {
  oneapi::tbb::combinable<tally> mine;
  oneapi::tbb::parallel_for(std::size_t{0}, files.size(),
                            [&](std::size_t i) { count_file(files[i], mine.local()); });
  tally all;
  mine.combine_each([&](tally& each) { all.join(std::move(each)); });
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const std::vector<file>& files) {
    return threads.run([&] { return on_tbb(files); });
  });
  return me.exit_status();
}
