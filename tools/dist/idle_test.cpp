// Started by an MPI launcher: one task sleeps for some seconds on some rank. Prints the largest
// share of a processor that a rank used meanwhile, in thousandths, and ends with 1 above 10.
#include <filch/dist.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>

namespace {

constexpr int sleep_seconds = 4;

double cpu_seconds() {
  rusage used;
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& of) {
    return static_cast<double>(of.tv_sec) + static_cast<double>(of.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

int main() {
  using namespace filch;
  dist::world ranks{{.workers = 1}};
  const auto sleeps = [](int, auto&, std::uint64_t& count) {
    ++count;
    std::this_thread::sleep_for(std::chrono::seconds(sleep_seconds));
  };
  const auto largest = dist::monoid{
      std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); }};
  const double before = cpu_seconds();
  dist::for_each_task(ranks, std::vector{1}, sleeps, largest);
  const double used = cpu_seconds() - before;
  const auto mine = static_cast<std::uint64_t>(1000 * used / sleep_seconds);
  const auto rank_of = [&](std::uint64_t) { return mine; };
  // Each rank maps an index of its own, as none has time to steal.
  const std::uint64_t most =
      dist::map_reduce(ranks, static_cast<std::uint64_t>(ranks.size()), rank_of, largest);
  if (ranks.rank() == 0)
    std::printf("idle ranks use at most %llu thousandths of a processor\n",
                static_cast<unsigned long long>(most));
  return most > 10;
}
