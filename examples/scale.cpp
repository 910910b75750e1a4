// Runs a program's own parallel code on a simulated machine of 16 cores, and says how it scales and
// what cores wait for. A program like this links filch::testing instead of filch::filch.
#include <filch/filch.hpp>
#include <filch/testing.hpp>
#include <filch/testing/machine/scale.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

namespace testing = filch::testing;

namespace {

constexpr int images = 20'000;

// [body]
/// What an image costs is measured once, on a real machine: 20 us.
void resize_all() {
  filch::parallel_for(0, images, [](int) {
    testing::spend(20'000);  // here the real program resizes an image
  });
}
// [body]

/// The same with one counter that all workers change.
void resize_and_count() {
  static std::uint64_t done = 0;
  filch::parallel_for(0, images, [](int) {
    testing::spend(200);
    testing::touch(&done, sizeof done);  // ++done
    testing::touch(&done, sizeof done, true);
  });
}

// [scale]
testing::machine server_of_16() {
  testing::machine server;  // or testing::read_machine_file("server-64.toml")
  server.name = "16 cores";
  server.caches_per_node = 2;
  server.cores_per_cache = 8;
  return server;
}

/// The efficiency with 16 workers.
double print_scaling(const char* name, void (*body)()) {
  constexpr std::array workers{1u, 4u, 16u};
  const auto points = testing::scale(body, server_of_16(), workers);
  double efficiency = 0;
  for (const testing::scale_point& each : points) {
    efficiency =
        static_cast<double>(points.front().ns) / (static_cast<double>(each.ns) * each.workers);
    std::printf("%s, %u workers: %.2f ms, efficiency %.2f\n", name, each.workers,
                static_cast<double>(each.ns) * 1e-6, efficiency);
  }
  if (!points.back().hottest.empty()) {
    const testing::hot_line& line = points.back().hottest.front();
    std::printf("  %.1f %% of all cores' time waits for a line of %s, line %u\n", 100 * line.share,
                line.places.front().function.c_str(), line.places.front().line);
  }
  return efficiency;
}
// [scale]

}  // namespace

int main() {
  const double alone = print_scaling("resize", &resize_all);
  const double counting = print_scaling("resize and count", &resize_and_count);
  return alone > 0.9 && counting < 0.5 ? 0 : 1;
}
