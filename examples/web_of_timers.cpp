// A web of timers: each goes off some time after all those it hangs on have, so the whole takes as
// long as its longest chain. Ten thousand of them wait at once, as tasks, without a thread for any:
// an idle worker sleeps until the next one is due. Work O(timers + threads of the web); memory a
// frame of a few hundred bytes for each that waits.
#include <filch/co.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <deque>
#include <random>
#include <vector>

namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using clock_type = std::chrono::steady_clock;

// [web]
struct knot {
  explicit knot(std::size_t hangs_on) : open{hangs_on} {}
  filch::async_latch open;  ///< Those it hangs on that have not gone off.
  milliseconds delay{0};
  std::vector<knot*> next;  ///< What hangs on it.
  clock_type::time_point went_off;
};

filch::task<> go_off(knot& mine) {
  co_await mine.open.wait();
  co_await filch::sleep_for(mine.delay);
  mine.went_off = clock_type::now();
  for (knot* each : mine.next) each->open.count_down();
}

filch::task<> go_off_all(std::deque<knot>& web) {
  filch::co::scope all;
  for (knot& each : web) all.spawn(go_off(each));
  co_await all.join();
}
// [web]

/// Each hangs on up to three of the hundred before it, and takes up to 5 ms. `earliest` gets the
/// delays of the longest chain to each.
std::deque<knot> random_web(std::size_t knots, std::vector<milliseconds>& earliest) {
  std::minstd_rand draw{1};
  std::deque<knot> web;
  for (std::size_t i = 0; i < knots; ++i) {
    const std::size_t hangs_on = i == 0 ? 0 : draw() % 4;
    knot& added = web.emplace_back(hangs_on);
    added.delay = milliseconds{draw() % 6};
    milliseconds begins{0};
    for (std::size_t thread = 0; thread < hangs_on; ++thread) {
      const std::size_t before = i - 1 - draw() % std::min<std::size_t>(i, 100);
      web[before].next.push_back(&added);
      begins = std::max(begins, earliest[before]);
    }
    earliest.push_back(begins + added.delay);
  }
  return web;
}

}  // namespace

int main() {
  std::vector<milliseconds> earliest;
  std::deque<knot> web = random_web(10'000, earliest);
  const auto begin = clock_type::now();
  const std::clock_t used_before = std::clock();
  filch::block_on(go_off_all(web));
  const double used_ms = 1e3 * static_cast<double>(std::clock() - used_before) / CLOCKS_PER_SEC;

  std::size_t early = 0;
  clock_type::time_point last = begin;
  for (std::size_t i = 0; i < web.size(); ++i) {
    if (web[i].went_off - begin < earliest[i]) ++early;
    last = std::max(last, web[i].went_off);
  }
  const duration<double, std::milli> took = last - begin;
  const auto longest = *std::max_element(earliest.begin(), earliest.end());
  std::printf(
      "%zu timers, the longest chain of %lld ms: the last went off after %.1f ms, %.1f ms of "
      "processor time, too early %zu\n",
      web.size(), static_cast<long long>(longest.count()), took.count(), used_ms, early);
  return early == 0 ? 0 : 1;
}
