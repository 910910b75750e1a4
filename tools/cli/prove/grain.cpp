// A loop over elements of uneven cost, with nothing said and with grains by hand.
#include <bench/sum/problem.hpp>
#include <filch/algo.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/prove/stopwatch.hpp>
#include <tools/cli/report.hpp>

#include <array>

namespace filch::cli::prove {

namespace {

constexpr bench::sum::parameters elements;

struct by_hand {
  std::size_t grain;
  least_time time{};
};

// One function for all: elements that two of them compile cost differently.
template <class... Options>
std::uint64_t sum_with(const Options&... options) {
  const auto element = [](std::uint64_t i) { return bench::sum::element(elements, i); };
  return parallel_reduce(with(options...), std::uint64_t{0}, elements.count, std::uint64_t{0},
                         element, std::plus<>{});
}

}  // namespace

proof no_grain_to_choose() {
  std::array<by_hand, 6> tried{{{1}, {16}, {256}, {4'096}, {65'536}, {elements.count / 4}}};
  least_time serial, automatic;
  std::uint64_t total = 0;
  bool correct = true;
  const auto check = [&] { correct = correct && total == bench::sum::expected(elements); };
  for (int round = 0; round != 15; ++round) {
    serial.add([&] { total = bench::sum::serial(elements); });
    check();
    automatic.add([&] { total = sum_with(); });
    check();
    for (by_hand& each : tried) {
      each.time.add([&] { total = sum_with(grain_items{each.grain}); });
      check();
    }
  }
  const auto [best, worst] =
      std::ranges::minmax(tried, {}, [](const by_hand& each) { return each.time.ns(); });
  return {correct && automatic.seconds() <= 1.05 * best.time.seconds(),
          fmt::format("A million elements of uneven cost: {} with nothing said; of six grains by "
                      "hand the best ({}) takes {}, the worst ({}) {}; "
                      "a plain loop {}.",
                      seconds_text(automatic.seconds()), count_text(best.grain),
                      seconds_text(best.time.seconds()), count_text(worst.grain),
                      seconds_text(worst.time.seconds()), seconds_text(serial.seconds()))};
}

}  // namespace filch::cli::prove
