// A factor of a number, sought in many ranges at once: the task that finds one cancels the others.
// Work O(sqrt n) divisions at most; how much of it is saved depends on where the factor lies and
// which task gets there first.
// [factor]
#include <filch/co.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>

namespace {

filch::task<> search(long n, long from, long to, std::atomic<long>& found, filch::co::scope& all) {
  const std::stop_token stop = co_await filch::co::get_stop_token();
  for (long divisor = from; divisor < to && !stop.stop_requested(); divisor += 2) {
    if (n % divisor != 0) continue;
    found = divisor;
    all.cancel();
  }
}

filch::task<long> factor(long n) {
  constexpr long step = 10'000;
  std::atomic<long> found{n % 2 == 0 ? 2 : n};
  filch::co::scope all{co_await filch::co::get_stop_token()};  // cancelled with its awaiter
  for (long from = 3; found == n && from * from <= n; from += step) {
    all.spawn(search(n, from, std::min(from + step, n), found, all));
    co_await filch::co::yield();  // so that earlier ranges run first
  }
  co_await all.join();
  co_return found.load();
}

}  // namespace

int main() {
  const long n = 999'983L * 1'000'003L, prime = 1'000'000'007L;
  const auto [of_n, of_prime] = filch::block_on(filch::when_all(factor(n), factor(prime)));
  std::printf("%ld = %ld * %ld, and %ld is %sa prime\n", n, of_n, n / of_n, prime,
              of_prime == prime ? "" : "not ");
  return n % of_n == 0 && of_n != n && of_prime == prime ? 0 : 1;
}
// [factor]
