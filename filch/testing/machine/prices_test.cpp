// Every price of a machine changes what a program costs on it.
#include <filch/base/membarrier.hpp>
#include <filch/testing.hpp>
#include <filch/testing/machine/machine_keys.hpp>
#include <filch/testing/machine/scale.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <deque>
#include <vector>

namespace filch::inline v0_2 {
namespace {

/// On the next core that is idle; its end is awaited.
template <class Work>
void elsewhere(Work work) {
  testing::thread other("other", work);
  other.join();
}

/// Uses all that has a price, one after the other: memory, lines of other caches and nodes, locks,
/// fences, threads, and more threads than cores.
void use_everything() {
  std::vector<char> data(1 << 15);
  const auto change = [&] {
    testing::touch(data.data(), data.size());
    testing::touch(data.data(), data.size(), true);
  };
  for (int core = 1; core < 8; ++core) elsewhere(change);
  testing::touch(data.data(), data.size());
  base::atomic<int> word{0};
  for (int i = 0; i < 1000; ++i) {
    word.fetch_add(1, base::relaxed);
    base::cpu_relax();
    static_cast<void>(base::now_ns());
  }
  testing::mutex lock("the lock");
  lock.lock();
  testing::thread waits("waits", [&] {
    lock.lock();
    lock.unlock();
  });
  testing::spend(100'000);
  base::heavy_fence();
  lock.unlock();
  waits.join();
  testing::thread computes("computes", [] { testing::spend(200'000); });
  testing::spend(50'000);
  for (int i = 0; i < 10; ++i) base::heavy_fence();
  computes.join();
  testing::nap(std::chrono::microseconds(50));
  std::deque<testing::thread> many;
  for (int i = 0; i < 12; ++i) many.emplace_back("one of many", [] { testing::spend(1'000'000); });
}

/// Two nodes of two caches of two cores.
testing::machine of_eight() {
  testing::machine made;
  made.nodes = made.caches_per_node = made.cores_per_cache = 2;
  made.bytes_per_ns = 1;
  made.time_slice = 100'000;
  return made;
}

/// Time and processor time, so that neither can make up for the other.
double cost_on(const testing::machine& on) {
  constexpr std::array workers{1u};
  const testing::scale_point point =
      testing::scale(use_everything, on, workers, {.warm_ups = 0}).at(0);
  return static_cast<double>(point.ns) + static_cast<double>(point.cpu_ns);
}

TEST(prices, count_each) {
  const double usual = cost_on(of_eight());
  for (const testing::machine_key& key : testing::machine_keys) {
    const auto* const price = std::get_if<double testing::machine::*>(&key.member);
    if (price == nullptr) continue;
    testing::machine changed = of_eight();
    changed.** price *= 50;
    const double ratio = cost_on(changed) / usual;
    if (key.name == "time_slice") {  // fewer switches, but less even shares
      EXPECT_GT(std::abs(ratio - 1), 0.001);
      continue;
    }
    const bool saves = key.name == "bytes_per_ns" || key.name == "lines_at_once";
    EXPECT_GT(saves ? 1 / ratio : ratio, 1.001) << key.name;
  }
}

}  // namespace
}  // namespace filch
