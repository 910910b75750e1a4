// A program to which the library gives what it makes of the standard library's types: vectors,
// strings, what throws.
#include <filch/fork.hpp>
#include <filch/metrics.hpp>
#include <filch/stop.hpp>

#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>

int main() {
  filch::thread_pool pool({.workers = 2, .thread_name = "shared"});
  const auto [left, right] =
      pool.run([] { return filch::join([] { return 1; }, [] { return 2; }); });
  const filch::metrics_snapshot counted = pool.metrics();
  std::ostringstream page;
  filch::write_prometheus(page);
  bool is_refused = false;
  try {
    filch::thread_pool too_small({.workers = 1, .stack_bytes = 1});
  } catch (const std::invalid_argument& refused) {
    is_refused = std::string{refused.what()}.find("stack_bytes") != std::string::npos;
  }
  const filch::stop_report left_behind = pool.stop(std::chrono::seconds{10});
  std::printf("%d %zu %zu %d %s\n", left + right, counted.workers.size(), page.str().size(),
              is_refused, to_string(left_behind).c_str());
  const bool is_right = left + right == 3 && !counted.workers.empty() && !page.str().empty();
  return is_right && is_refused && left_behind.is_finished() ? 0 : 1;
}
