#pragma once
// A second thread, bound to a processor, for micro-benchmarks.
#include <filch/base/clock.hpp>
#include <filch/topo/affinity.hpp>

#include <atomic>
#include <thread>
#include <utility>

namespace filch::cli {

/// Runs `body` on a thread that is bound to `cpu`, and joins it at the end.
class pinned_thread {
 public:
  template <class Body>
  pinned_thread(unsigned cpu, Body body)
      : thread_{[cpu, body = std::move(body)]() mutable {
          topo::pin_current_thread(cpu);
          body();
        }} {}
  ~pinned_thread() { thread_.join(); }
  pinned_thread(const pinned_thread&) = delete;
  pinned_thread& operator=(const pinned_thread&) = delete;

 private:
  std::thread thread_;
};

/// Two threads take turns, without sleeping.
class turns {
 public:
  void hand_over(unsigned to) noexcept { next_.store(to, std::memory_order_release); }
  void await(unsigned me) const noexcept {
    while (next_.load(std::memory_order_acquire) != me) base::cpu_relax();
  }

 private:
  std::atomic<unsigned> next_{0};
};

}  // namespace filch::cli
