// Records what the workers do while a tree is summed, and says how much of it was stealing. Work
// O(n), span O(log n).
// [traced]
#include <filch/fork.hpp>
#include <filch/trace.hpp>

#include <algorithm>
#include <cstdio>

long sum(long first, long last) {
  if (last - first == 1) return first % 7;
  const long middle = first + (last - first) / 2;
  auto [left, right] =
      filch::join([=] { return sum(first, middle); }, [=] { return sum(middle, last); });
  return left + right;
}

int main() {
  filch::trace_session session;  // or, without a line of code: FILCH_TRACE=out.filch ./traced
  const long total = sum(0, 3'000'000);
  const filch::event::recording run = session.end();
  const auto steals = std::ranges::count(run.entries, filch::event::kind::steal_won,
                                         [](const auto& each) { return each.what.what; });
  std::printf("%ld in %.2f ms: %zu workers, %zu events, %td steals\n", total,
              static_cast<double>(run.length_ns) * 1e-6, run.workers.size(), run.entries.size(),
              steals);
}
// [traced]
