// Deadlines, results that come late, retries at fixed times, and a beat that counts what it missed.
#include <filch/co.hpp>
#include <filch/timers.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

// [with_deadline]
filch::task<std::string> ask(std::string server, std::chrono::milliseconds takes) {
  co_await filch::sleep_for(takes);
  co_return server;
}

// One deadline for two calls in a row: the second has what the first one left.
filch::task<std::string> ask_both(steady_clock::time_point deadline) {
  const filch::timeout_result<std::string> first =
      co_await filch::with_deadline(ask("Oslo", 1ms), deadline);
  if (!first) co_return "no answer";
  const filch::timeout_result<std::string> second =
      co_await filch::with_deadline(ask("Rome", 1h), deadline);
  co_return *first + (second ? *second : " alone");
}
// [with_deadline]

// [keep_late]
// Improves an answer until it is asked to stop, and returns the best so far.
filch::task<long> improve() {
  const std::stop_token stop = co_await filch::co::get_stop_token();
  long best = 0;
  do ++best;
  while (!stop.stop_requested());
  co_return best;
}

// The answer always comes after the time: `with_timeout` drops it, unless it is told to keep it.
filch::task<bool> improve_for(std::chrono::milliseconds time) {
  const auto dropped = co_await filch::with_timeout(improve(), time);
  const auto kept = co_await filch::with_timeout(improve(), time, filch::keep_late);
  co_return !dropped && kept && *kept > 0;
}

// A function of your own that leaves the choice to its caller.
filch::task<filch::timeout_result<long>> improve_until(steady_clock::time_point deadline) {
  return filch::with_deadline(improve(), deadline);
}
filch::task<filch::timeout_result<long>> improve_until(steady_clock::time_point deadline,
                                                       filch::keep_late_t keep) {
  return filch::with_deadline(improve(), deadline, keep);
}
// [keep_late]

// [sleep_until]
// Tries at 0, 1, 3 and 7 ms after the begin, however long each attempt takes.
template <class Attempt>
filch::task<int> retry(Attempt& attempt) {
  const steady_clock::time_point begin = steady_clock::now();
  for (int tries = 0; tries < 4; ++tries) {
    co_await filch::sleep_until(begin + std::chrono::milliseconds((1 << tries) - 1));
    if (attempt()) co_return tries + 1;
  }
  co_return 0;
}
// [sleep_until]

// [tick]
// A measurement each millisecond. One takes too long: the next tick tells how many were left out.
filch::task<std::uint64_t> measure(int times) {
  std::uint64_t missed = 0;
  filch::interval beat{1ms};
  for (int i = 0; i < times; ++i) {
    const filch::tick now = co_await beat.next();  // due at `now.due`
    missed += now.missed;
    if (i == 2) std::this_thread::sleep_for(5ms);
  }
  co_return missed;
}
// [tick]

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  const std::string both = filch::block_on(ask_both(steady_clock::now() + 300ms));
  bool is_right = check("with_deadline", both == "Oslo alone");
  is_right &= check("keep_late", filch::block_on(improve_for(2ms)));
  is_right &= check("dropped", !filch::block_on(improve_until(steady_clock::now() + 2ms)));
  is_right &= check(
      "kept",
      filch::block_on(improve_until(steady_clock::now() + 2ms, filch::keep_late)).has_value());
  int attempts = 0;
  const auto third = [&] { return ++attempts == 3; };
  is_right &= check("sleep_until", filch::block_on(retry(third)) == 3);
  is_right &= check("tick", filch::block_on(measure(5)) >= 4);
  return is_right ? 0 : 1;
}
