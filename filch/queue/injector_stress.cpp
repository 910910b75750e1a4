// Real threads: several submitters, several consumers, every job once, and each submitter's jobs in order.
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/queue/injector.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace {

using filch::base::now_ns;
using filch::base::start_thread;

constexpr std::size_t submitter_count = 3;
constexpr std::size_t consumer_count = 2;
constexpr std::size_t jobs_each = 2000;

struct job : filch::queue::injected {
  std::size_t submitter = 0;
  std::size_t sequence = 0;
  int taken_count = 0;
};

class rush {
 public:
  rush() : jobs_(submitter_count * jobs_each) {}

  void run() {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < submitter_count; ++i) threads.push_back(start_thread(0, [this, i] { submit(i); }));
    for (std::size_t i = 0; i < consumer_count; ++i) threads.push_back(start_thread(0, [this] { consume(); }));
    for (std::thread& each : threads) each.join();
  }

  std::size_t out_of_order_count() const { return out_of_order_count_; }
  bool each_was_taken_once() const {
    return std::all_of(jobs_.begin(), jobs_.end(), [](const job& each) { return each.taken_count == 1; }) &&
           queue_.looks_empty();
  }

 private:
  void submit(std::size_t submitter) {
    for (std::size_t i = 0; i < jobs_each; ++i) {
      job& next = jobs_[submitter * jobs_each + i];
      next.submitter = submitter;
      next.sequence = i;
      queue_.push(next);
    }
  }

  void consume() {
    std::array<std::size_t, submitter_count> next_sequence{};
    while (taken_count_ < jobs_.size()) {
      auto* const got = static_cast<job*>(queue_.pop());
      if (got == nullptr) {
        filch::base::yield_thread();
        continue;
      }
      ++got->taken_count;
      ++taken_count_;
      if (got->sequence < next_sequence[got->submitter]) ++out_of_order_count_;
      next_sequence[got->submitter] = got->sequence + 1;
    }
  }

  filch::queue::injector<> queue_;
  std::vector<job> jobs_;
  std::atomic<std::size_t> taken_count_{0};
  std::atomic<std::size_t> out_of_order_count_{0};
};

TEST(injector_stress, every_job_is_delivered_once_and_in_its_submitters_order) {
  const std::uint64_t deadline_ns = now_ns() + 2'000'000'000;
  do {
    rush threads;
    threads.run();
    ASSERT_EQ(threads.out_of_order_count(), 0u);
    ASSERT_TRUE(threads.each_was_taken_once());
  } while (now_ns() < deadline_ns);
}

}  // namespace
