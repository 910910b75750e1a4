#pragma once
// Jobs that are posted to a pool which is about to sleep, or sleeps.
#include <filch/base/calibrated_stress.hpp>
#include <filch/base/clock.hpp>
#include <filch/base/patience_stress.hpp>
#include <filch/base/rng.hpp>
#include <filch/base/thread.hpp>
#include <filch/filch.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string>

namespace filch::inline v0_2::sched {

/// A mistake that a valid run must notice.
enum class mistake { none, a_job_is_lost };

/// Posts jobs one at a time, each after a pause that ends anywhere between the last one's end and
/// deep sleep.
class post_office {
 public:
  explicit post_office(unsigned workers, mistake made = mistake::none)
      : made_{made}, pool_{{.workers = workers}} {}
  scheduler& core() { return pool_.core(); }

  /// Returns how many of `count` jobs ran before the first one that did not within `patience_ns`.
  std::uint64_t hand_off(std::uint64_t count, std::uint64_t patience_ns) {
    for (std::uint64_t i = 0; i < count; ++i) {
      pause();
      if (made_ != mistake::a_job_is_lost || i != 10)
        pool_.submit([this] { arrived_.fetch_add(1); });
      ++posted_;
      if (!comes_within(patience_ns)) return i;
    }
    return count;
  }
  /// Whether the last job runs within so much time of this thread's own: a process that was
  /// preempted meanwhile has not lost the job.
  bool comes_within(std::uint64_t patience_ns) {
    return base::comes_within(patience_ns, [this] { return arrived_.load() == posted_; });
  }

 private:
  // A worker searches for 2 to 40 us after its last job, then announces that it sleeps, looks
  // again, and parks.
  void pause() {
    const std::uint64_t draw = random_();
    if (draw % 4 == 0) return;
    for (const std::uint64_t end = base::now_ns() + draw % 64'000; base::now_ns() < end;) {
      if (draw % 3 == 0) base::yield_thread();
    }
  }

  mistake made_;
  std::atomic<std::uint64_t> arrived_{0};
  std::uint64_t posted_ = 0;
  base::split_mix64 random_{1};
  thread_pool pool_;  // last: its jobs use what stands above
};

inline constexpr std::uint64_t patience_ns = base::great_patience_ns;

/// The fault that this test exists for: a search that is counted for ever, so that no producer
/// wakes a worker.
inline void expect_a_lost_wake_is_noticed(const std::string& shape, unsigned workers) {
  post_office office{workers};
  ASSERT_EQ(office.hand_off(100, patience_ns), 100u);
  office.core().parking().idle().begin_search();
  EXPECT_TRUE(base::notices(shape, "a lost wake", [&] {
    return office.hand_off(10'000, base::little_patience_ns) < 10'000;
  })) << "this stress test would not notice the fault that it exists for";
  static_cast<void>(office.core().parking().idle().end_search());
  office.core().parking().wake_one(nullptr);
  EXPECT_TRUE(office.comes_within(patience_ns));
}
/// A fault that runs notice whose workers never park, and so lose no wake.
inline bool notices_a_lost_job(const std::string& shape, unsigned workers) {
  return base::notices(shape, "a lost job", [=] {
    return post_office{workers, mistake::a_job_is_lost}.hand_off(20, base::little_patience_ns) < 20;
  });
}

}  // namespace filch::sched
