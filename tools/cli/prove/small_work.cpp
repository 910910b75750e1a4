// Loops that are hardly worth a thread, beside the plain loop.
#include <filch/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/prove/stopwatch.hpp>
#include <tools/cli/report.hpp>

#include <array>
#include <vector>

namespace filch::cli::prove {

namespace {

constexpr double allowed_share = 1.05, allowed_seconds = 2e-6;  // of the plain loop, and beside it

struct loop {
  std::size_t length;
  least_time plain{}, parallel{};

  // So many calls are timed together
  std::size_t calls() const { return std::max<std::size_t>(1, 20'000 / length); }
  double plain_seconds() const { return plain.seconds() / static_cast<double>(calls()); }
  double parallel_seconds() const { return parallel.seconds() / static_cast<double>(calls()); }
  bool is_cheap() const {
    return parallel_seconds() <= allowed_share * plain_seconds() + allowed_seconds;
  }
};

void measure(loop& of, std::vector<std::uint32_t>& values) {
  const auto step = [&](std::size_t i) { values[i] = values[i] * 31 + 7; };
  of.plain.add([&] {
    for (std::size_t call = of.calls(); call != 0; --call) {
      for (std::size_t i = 0; i != of.length; ++i) step(i);
    }
  });
  of.parallel.add([&] {
    for (std::size_t call = of.calls(); call != 0; --call)
      parallel_for(std::size_t{0}, of.length, step);
  });
}

std::string text_of(const loop& of) {
  return fmt::format("{} iterations {} and {}", count_text(of.length),
                     seconds_text(of.plain_seconds()), seconds_text(of.parallel_seconds()));
}

}  // namespace

proof small_work_costs_little() {
  std::array<loop, 5> loops{{{2}, {20}, {200}, {2'000}, {20'000}}};
  std::vector<std::uint32_t> values(loops.back().length, 1);
  for (int round = 0; round != 200; ++round) {
    for (loop& each : loops) measure(each, values);
  }
  return {std::ranges::all_of(loops, &loop::is_cheap),
          fmt::format("A plain loop and parallel_for from outside the pool: {}, {}, {}. Never more "
                      "than 5 % and 2 us behind.",
                      text_of(loops[0]), text_of(loops[2]), text_of(loops[4]))};
}

}  // namespace filch::cli::prove
