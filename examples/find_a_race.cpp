// Finds a lost update and a deadlock by trying schedules, prints the schedule that shows each, and
// runs it again. A program like this links filch::testing instead of filch::filch.
#include <filch/filch.hpp>
#include <filch/testing.hpp>

#include <cstdio>
#include <mutex>

namespace testing = filch::testing;

// Two iterations that run at once may both read before either writes: one of the additions is lost.
// [race]
void count_visitors() {
  testing::shared<int> visitors{"visitors", 0};
  filch::parallel_for(0, 4, [&](int) { visitors.write(visitors.read() + 1); });
  testing::check(visitors.read() == 4, "every visitor is counted");
}
// [race]

// Each side takes the other's lock second: if both have taken their first one, neither gets on.
void transfer_both_ways() {
  testing::mutex savings{"savings"}, checking{"checking"};
  const auto transfer = [](testing::mutex& from, testing::mutex& to) {
    const std::lock_guard first{from};
    const std::lock_guard second{to};
  };
  filch::join([&] { transfer(savings, checking); }, [&] { transfer(checking, savings); });
}

// [explore]
bool finds_and_replays(const char* what, void (*body)()) {
  const testing::report found = testing::explore(body, {.seeds = 10'000});
  if (found.passed()) {
    std::printf("%s: not found\n", what);
    return false;
  }
  const testing::report again = testing::replay(*found.failing_seed, body);
  const bool is_same = again.failure == found.failure && again.schedule == found.schedule;
  std::printf("%s: found at the seed after %llu others; replayed, it is %s\n%s\n", what,
              static_cast<unsigned long long>(found.seeds_run - 1),
              is_same ? "the same" : "another one", found.text().c_str());
  return is_same;
}
// [explore]

int main() {
  const bool race = finds_and_replays("a lost update", count_visitors);
  const bool deadlock = finds_and_replays("a deadlock", transfer_both_ways);
  return race && deadlock ? 0 : 1;
}
