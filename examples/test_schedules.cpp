// Tests under many schedules: threads and time, points in your own code, drawn input, the choice of
// schedules. Then noise for real threads. A program like this links filch::testing instead of
// filch::filch.
#include <filch/algo/parallel_for.hpp>
#include <filch/algo/sort.hpp>
#include <filch/fork.hpp>
#include <filch/testing.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace testing = filch::testing;

namespace {

using namespace std::chrono_literals;

// [thread]
// Threads outside every pool, and time limits. No time passes: the clock goes on when all wait.
void loads_in_time() {
  testing::shared<bool> is_loaded{"is_loaded", false};
  testing::thread loader{"loader", [&] {
                           testing::nap(1h);
                           is_loaded.write(true);
                         }};
  testing::nap(2h);
  testing::check(is_loaded.read(), "it is loaded after two hours");
}
// [thread]

// [point]
// A lock-free counter with a fault: between its two lines another thread may add, too.
class counter {
 public:
  void add() {
    const int seen = count_.load();
    testing::point("between the look and the change");
    count_.store(seen + 1);
  }
  int count() const { return count_.load(); }

 private:
  std::atomic<int> count_{0};
};
void counts_both() {
  counter visitors;
  filch::join([&] { visitors.add(); }, [&] { visitors.add(); });
  testing::check(visitors.count() == 2, "both are counted");
}
// [point]

// [tell]
// An object of your own whose calls stand in the schedule and may be interrupted, as those of
// `testing::shared`.
class journal {
 public:
  void add(std::string line) {
    testing::tell("journal", "gets a line", {});
    lines_.push_back(std::move(line));
  }
  std::size_t size() const { return lines_.size(); }

 private:
  std::vector<std::string> lines_;
};
void logs_both() {
  testing::mutex lock{"lock"};
  journal lines;
  filch::parallel_for(0, 2, [&](int i) {
    const std::lock_guard held{lock};
    lines.add(std::to_string(i));
  });
  testing::check(lines.size() == 2, "both lines are there");
}
// [tell]

// [seed]
// Another input in each run. A replayed seed draws the same one.
void sorts_what_is_drawn() {
  std::minstd_rand draw{static_cast<unsigned>(testing::seed())};
  std::vector<unsigned> values(draw() % 3'000);
  for (unsigned& each : values) each = static_cast<unsigned>(draw() % 100);
  filch::sort(values);
  testing::check(std::ranges::is_sorted(values), "the values are sorted");
}
// [seed]

// [options]
// A fault that only thefts show: the right side expects to run on the worker of the left one.
void stays_on_its_worker() {
  unsigned left = 0, right = 0;
  filch::join([&] { left = filch::worker_index(); }, [&] { right = filch::worker_index(); });
  testing::check(left == right, "both sides run on one worker");
}
// A few runs of two workers in which every fork is stolen.
testing::report explore_thefts(void (*body)()) {
  const testing::options thefts{
      .seeds = 20, .who_goes_on = testing::strategy::steal_everything, .workers = 2};
  return testing::explore(body, thefts);
}
// [options]

// [noise]
// Real threads, say under the thread sanitizer: they stop for a moment at points of one function
// after the other, so that what rarely meets meets more often.
std::uint64_t run_under_noise(void (*body)()) {
  std::uint64_t stops = 0;
  for (const std::string& each : testing::functions_passed(body)) {
    const testing::noise_options wanted{.seed = 7, .one_in = 2, .longest = 20us, .function = each};
    const testing::noise made{wanted};
    for (int i = 0; i < 20; ++i) body();
    stops += made.stops();
  }
  return stops;
}
// [noise]

bool check(const char* what, const testing::report& found, bool is_right) {
  std::printf("%s: %llu runs\n", what, static_cast<unsigned long long>(found.seeds_run));
  if (!is_right) std::printf("wrong\n%s\n", found.text().c_str());
  return is_right;
}
bool passes(const char* what, const testing::report& found) {
  return check(what, found, found.passed());
}

}  // namespace

int main() {
  const testing::report lost = testing::explore(counts_both);
  bool is_right = check("a lost count", lost, !lost.passed());
  const testing::report stolen = explore_thefts(stays_on_its_worker);
  is_right &= check("a theft", stolen, !stolen.passed());
  is_right &= passes("threads", testing::explore(loads_in_time, {.seeds = 50}));
  is_right &= passes("an object of your own", testing::explore(logs_both, {.seeds = 50}));
  is_right &= passes("drawn input", testing::explore(sorts_what_is_drawn, {.seeds = 50}));
  const std::uint64_t stops = run_under_noise(logs_both);
  std::printf("noise: %llu stops\n", static_cast<unsigned long long>(stops));
  return is_right && stops > 0 ? 0 : 1;
}
