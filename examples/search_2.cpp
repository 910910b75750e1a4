// Finds the first file below a folder that has a text in it: ends at the first match or at a
// deadline, while the main thread shows how far it is.
#include "search.hpp"
#include <filch/algo.hpp>
#include <filch/co.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace {

using namespace std::chrono_literals;
using search::files;

// [find]
// The first file in the order of the list, whichever worker finds its match first.
filch::task<std::optional<search::fs::path>> find_first(const files& all, std::string_view wanted,
                                                        std::chrono::milliseconds limit,
                                                        std::atomic<std::size_t>& searched) {
  const auto has_it = [&](const auto& file) {
    searched.fetch_add(1, std::memory_order_relaxed);
    return search::text_of(file).find(wanted) != std::string::npos;
  };
  const std::stop_token stop = co_await filch::co::get_stop_token();
  const auto found = filch::find_if(filch::with(stop, filch::time_limit{limit}), all, has_it);
  if (found == all.end()) co_return std::nullopt;
  co_return *found;
}
// [find]

// [progress]
std::optional<search::fs::path> find_and_show(const files& all, std::string_view wanted,
                                              std::chrono::milliseconds limit) {
  std::atomic<std::size_t> searched{0};
  auto running = filch::spawn(find_first(all, wanted, limit, searched));
  while (!running.is_finished()) {
    std::this_thread::sleep_for(20ms);
    std::printf("%zu of %zu files\n", searched.load(std::memory_order_relaxed), all.size());
  }
  return filch::block_on(std::move(running));  // the result, or what the search threw
}
// [progress]

}  // namespace

int main(int count, char** arguments) {
  if (count != 4 || arguments[2][0] == '\0') {
    std::fprintf(stderr, "usage: %s FOLDER TEXT MILLISECONDS\n", arguments[0]);
    return 2;
  }
  try {
    // [main]
    const files all = search::files_below(arguments[1]);
    const std::chrono::milliseconds limit{std::atoi(arguments[3])};
    if (const auto found = find_and_show(all, arguments[2], limit)) {
      std::printf("found in %s\n", found->c_str());
    } else {
      std::printf("not found\n");
    }
  } catch (const filch::stopped&) {
    std::printf("no match in time\n");
    // [main]
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return 1;
  }
  return 0;
}
