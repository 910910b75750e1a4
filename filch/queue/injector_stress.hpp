#pragma once
// Real threads on one injector: several submitters, several consumers, and a count of what was
// delivered and in which order.
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/queue/injector.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace filch::inline v0_2::queue {

template <class Sync>
class injector_rush {
 public:
  explicit injector_rush(injector<Sync>& queue)
      : queue_{queue}, jobs_(submitter_count * jobs_each) {}

  /// Repeats rounds until `deadline_ns` or the first fault. Returns how many jobs were not
  /// delivered once and in their submitter's order.
  std::size_t run_until(std::uint64_t deadline_ns) {
    std::size_t fault_count = 0;
    do fault_count = round();
    while (fault_count == 0 && base::now_ns() < deadline_ns);
    return fault_count;
  }
  /// The number of pushes and pops that were done and checked.
  std::uint64_t operations() const noexcept { return operations_; }

 private:
  static constexpr std::size_t submitter_count = 3;
  static constexpr std::size_t consumer_count = 2;
  static constexpr std::size_t jobs_each = 2000;
  struct job : injected {
    std::size_t submitter = 0;
    std::size_t sequence = 0;
    std::atomic<int> taken_count{0};
  };

  std::size_t round() {
    for (job& each : jobs_) each.taken_count = 0;
    out_of_order_count_ = 0;
    std::atomic<bool> all_submitted{false};
    std::vector<base::thread> submitters, consumers;
    for (std::size_t i = 0; i < submitter_count; ++i)
      submitters.push_back(base::start_thread(0, [this, i] { submit(i); }));
    for (std::size_t i = 0; i < consumer_count; ++i)
      consumers.push_back(base::start_thread(0, [&] { consume(all_submitted); }));
    for (base::thread& each : submitters) each.join();
    all_submitted = true;
    for (base::thread& each : consumers) each.join();
    operations_ += 2 * jobs_.size();
    const auto once = std::count_if(jobs_.begin(), jobs_.end(),
                                    [](const job& each) { return each.taken_count == 1; });
    return jobs_.size() - static_cast<std::size_t>(once) + out_of_order_count_;
  }

  void submit(std::size_t submitter) {
    for (std::size_t i = 0; i < jobs_each; ++i) {
      job& next = jobs_[submitter * jobs_each + i];
      next.submitter = submitter;
      next.sequence = i;
      queue_.push(next);
    }
  }

  // Until nothing is left, not until everything has come: otherwise a queue that loses jobs would
  // keep this running forever.
  void consume(const std::atomic<bool>& all_submitted) {
    std::array<std::size_t, submitter_count> next_sequence{};
    for (;;) {
      const bool was_last_look = all_submitted;
      auto* const got = static_cast<job*>(queue_.pop());
      if (got == nullptr) {
        if (was_last_look) return;
        base::yield_thread();
        continue;
      }
      ++got->taken_count;
      if (got->sequence < next_sequence[got->submitter]) ++out_of_order_count_;
      next_sequence[got->submitter] = got->sequence + 1;
    }
  }

  injector<Sync>& queue_;
  std::vector<job> jobs_;
  std::uint64_t operations_ = 0;
  std::atomic<std::size_t> out_of_order_count_{0};
};

}  // namespace filch::queue
