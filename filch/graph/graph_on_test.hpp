#pragma once
// What tests of graphs share.
#include <filch/algo.hpp>
#include <filch/co.hpp>
#include <filch/fork.hpp>
#include <filch/graph.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace filch::inline v0_2 {

/// Every claim holds alone, in company, and with more workers than cores.
class graph_on : public ::testing::TestWithParam<unsigned> {
 protected:
  thread_pool pool{{.workers = GetParam()}};
};
inline const auto widths_of_graphs = ::testing::Values(1u, 2u, 4u);

/// The text of the exception that `f` throws.
template <class Exception, class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Exception& thrown) {
    return thrown.what();
  }
  return "nothing was thrown";
}

inline bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// Waits until `flag` is set by another thread.
inline void wait_for(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

inline task<> run_in_task(task_graph& g, algo::settings how) {
  co_await g.run_async(std::move(how));
}

}  // namespace filch
