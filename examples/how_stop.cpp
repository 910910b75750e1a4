// Ends before the end: time limits, first matches, timeouts, pools that stop. Programs of the pages
// in docs/guide/how.
#include <filch/algo/find.hpp>
#include <filch/algo/parallel_for.hpp>
#include <filch/co.hpp>
#include <filch/stop.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

// [time_limit]
// Tries numbers until the time is over, and keeps the best one.
long best_within(std::chrono::milliseconds time) {
  std::atomic<long> best{0};
  try {
    filch::parallel_for(filch::with(filch::time_limit{time}), 0L, 1L << 60, [&](long i) {
      const long value = i % 100'003 * 7919 % 100'003;
      for (long seen = best; seen < value && !best.compare_exchange_weak(seen, value);) {
      }
    });
  } catch (const filch::stopped&) {
    // the time was over
  }
  return best;
}

// One deadline for several calls.
bool both_in_time(std::vector<int>& a, std::vector<int>& b) {
  const auto all = filch::with(filch::deadline{std::chrono::steady_clock::now() + 10s});
  try {
    filch::parallel_for(all, a, [](int& each) { ++each; });
    filch::parallel_for(all, b, [](int& each) { ++each; });
  } catch (const filch::stopped&) {
    return false;
  }
  return true;
}
// [time_limit]

// [first_match]
// The first match in the order of the range.
std::optional<int> first_multiple(const std::vector<int>& values, int of) {
  const auto at = filch::find_if(values, [=](int each) { return each % of == 0; });
  return at == values.end() ? std::nullopt : std::optional{*at};
}

// Any match, in a loop that does more than to test: the iteration that finds one stops the rest.
std::optional<int> any_multiple(const std::vector<int>& values, int of) {
  std::stop_source stop;
  std::atomic<const int*> found{nullptr};
  try {
    filch::parallel_for(filch::with(stop.get_token()), values, [&](const int& each) {
      if (each % of != 0) return;
      found = &each;
      stop.request_stop();
    });
  } catch (const filch::stopped&) {
    // parts of the loop did not run
  }
  return found == nullptr ? std::nullopt : std::optional{*found.load()};
}
// [first_match]

// [timers]
filch::task<int> slow_answer() {
  co_await filch::sleep_for(1h);  // ends by `co::cancelled` when the task is asked to stop
  co_return 42;
}

filch::task<> count_ticks(int& ticks) {
  for (filch::interval beat{1ms};; ++ticks) co_await beat.next();  // until it is asked to stop
}

filch::task<int> timers() {
  const std::optional<int> answer = co_await filch::with_timeout(slow_answer(), 5ms);
  int ticks = 0;
  filch::co::scope all{co_await filch::co::get_stop_token()};
  all.spawn(count_ticks(ticks));
  co_await filch::sleep_for(10ms);
  all.cancel();
  co_await all.join();
  co_return answer ? *answer : ticks;  // no answer in time
}
// [timers]

// [stop]
filch::task<> session(filch::channel<int>& requests, std::atomic<int>& served) {
  while (const std::optional<int> request = co_await requests.receive()) served += *request;
}

// At the deadline the sessions wait for requests. They are asked to stop, and leave their wait by
// `co::cancelled`. One job goes on, and is reported.
filch::stop_report serve_and_stop(std::atomic<int>& served) {
  std::atomic<bool> may_end{false};
  filch::channel<int> requests{8};
  filch::thread_pool pool({.workers = 2});  // last: its tasks use what stands above
  for (int i = 0; i < 3; ++i) filch::spawn(pool, session(requests, served)).detach();
  static_cast<void>(filch::wait(requests.send(1)));
  pool.submit([&] {
    while (!may_end) std::this_thread::sleep_for(1ms);
  });

  filch::stop_report left = pool.stop(20ms, 200ms);  // the deadline, and the grace from then on
  if (!left.is_finished()) std::printf("left behind: %s\n", to_string(left).c_str());
  may_end = true;  // the destructor of the pool waits for the job
  return left;
}
// [stop]

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  std::vector<int> numbers(100'000), others(1'000);
  std::iota(numbers.begin(), numbers.end(), 1);
  bool is_right = check("time_limit", best_within(50ms) > 50'000);
  is_right &= check("first_match", first_multiple(numbers, 777) == 777);
  is_right &= check("any_match", any_multiple(numbers, 777).value_or(1) % 777 == 0);
  is_right &= check("deadline", both_in_time(numbers, others));
  is_right &= check("timers", filch::block_on(timers()) < 42);
  std::atomic<int> served{0};
  is_right &= check("stop", !serve_and_stop(served).is_finished() && served <= 1);
  return is_right ? 0 : 1;
}
