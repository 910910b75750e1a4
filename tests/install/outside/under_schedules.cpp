// A user's test: the same program under one schedule after another.
#include <filch/filch.hpp>
#include <filch/testing.hpp>

#include <cstdio>

namespace {

void count_to_four() {
  filch::testing::shared<int> count{"count", 0};
  filch::parallel_for(0, 4, [&](int) { count.write(count.read() + 1); });
  filch::testing::check(count.read() == 4, "every step is counted");
}

}  // namespace

int main() {
  const auto found = filch::testing::explore(count_to_four, {.seeds = 10'000});
  if (found.passed() ||
      filch::testing::replay(*found.failing_seed, count_to_four).schedule != found.schedule) {
    std::puts("a planted race was not found, or not found again");
    return 1;
  }
}
