#pragma once
// Real threads on one fork stack: an owner that forks and joins in bursts, thieves that ask or
// expose by force, and possibly a thread that makes pops pause now and then. Between calls the
// threads only record what they ran: an atomic count there would hide the faults that this test
// looks for.
#include <filch/base/clock.hpp>
#include <filch/base/membarrier.hpp>
#include <filch/base/patience_stress.hpp>
#include <filch/base/thread.hpp>
#include <filch/queue/fork_stack.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

namespace filch::inline v0_2::queue {

/// A closure and its result, handed over by the orders of the fork stack alone.
struct stress_job {
  std::size_t number = 0;
  std::size_t result = 0;
};

enum class stress_pops { private_first, always_settling, pausing_now_and_then };

template <class Sync>
class fork_rush {
 public:
  fork_rush(unsigned thief_count, std::size_t burst, stress_pops how,
            std::size_t round_jobs = 1 << 13, std::uint64_t patience_ns = base::great_patience_ns)
      : burst_{burst},
        how_{how},
        patience_ns_{patience_ns},
        entries_{std::make_unique<entry[]>(burst)},
        jobs_(round_jobs / burst * burst),
        loot_(1 + thief_count) {
    forks_.adopt(entries_.get(), burst, how == stress_pops::always_settling);
  }

  /// Repeats rounds until `deadline_ns` or the first fault. Returns how many jobs did not run
  /// exactly once, or were not seen by their join.
  std::size_t run_until(std::uint64_t deadline_ns) {
    std::size_t fault_count = 0;
    do fault_count = round();
    while (fault_count == 0 && base::now_ns() < deadline_ns);
    return fault_count;
  }
  /// The number of forks and joins that were done and checked.
  std::uint64_t operations() const noexcept { return operations_; }

 private:
  using stack = basic_fork_stack<Sync>;
  using entry = typename stack::entry;
  using loot = std::vector<std::size_t>;

  std::size_t round() {
    for (loot& each : loot_) each.reserve(2 * jobs_.size());
    std::atomic<bool> over{false};
    std::vector<base::thread> others;
    for (unsigned i = 1; i < loot_.size(); ++i) {
      const auto expose = i % 2 == 1 ? &fork_rush::by_force : &fork_rush::by_asking;
      others.push_back(base::start_thread(i, [&, i, expose] {
        while (!over.load(std::memory_order_relaxed)) rob(expose, loot_[i]);
      }));
    }
    if (how_ == stress_pops::pausing_now_and_then) {
      others.push_back(base::start_thread(static_cast<unsigned>(loot_.size()), [&] {
        while (!over.load(std::memory_order_relaxed)) pause_for_a_while();
      }));
    }
    const std::size_t unseen_count = own(loot_[0]);
    over.store(true);
    for (base::thread& other : others) other.join();
    operations_ += 2 * jobs_.size();
    return unseen_count + count_faults();
  }

  /// Returns how many results its joins did not see. Stops at one that never comes.
  std::size_t own(loot& mine) {
    std::size_t unseen_count = 0;
    for (std::size_t first = 0; first < jobs_.size() && !has_waited_in_vain_; first += burst_) {
      for (std::size_t i = first; i < first + burst_; ++i) fork(i);
      if (first / burst_ % 64 == 63) dawdle();
      for (std::size_t i = first + burst_; i-- > first;)
        unseen_count += join(jobs_[i], mine) ? 0 : 1;
    }
    return unseen_count;
  }

  /// Some microseconds, long enough for a steal: from an owner that always pops at once, bursts of
  /// one are hardly ever stolen.
  static void dawdle() noexcept {
    for (int i = 0; i < 160; ++i) base::cpu_relax();
  }

  void fork(std::size_t number) {
    entry* const at = forks_.bottom();
    jobs_[number] = {number, 0};
    const bool has_paused = forks_.must_pause(at);
    forks_.push(at, {nullptr, &jobs_[number]});
    const bool was_asked = has_paused && forks_.take_request() != request::none;
    if (was_asked) forks_.expose();
  }

  bool join(stress_job& joined, loot& mine) {
    entry* const at = forks_.bottom() - 1;
    if (forks_.pop_private(at) || forks_.is_private(at) ||
        forks_.settle(at) == pop_outcome::popped) {
      run(joined, mine);
    } else {
      forks_.occupy(at);
      has_waited_in_vain_ =
          has_waited_in_vain_ || !base::comes_within(patience_ns_, [at] { return at->is_done(); });
      forks_.release(at);
    }
    return joined.result == joined.number + 1;
  }

  void rob(void (fork_rush::*expose)(), loot& mine) {
    entry* const taken = forks_.steal();
    if (taken == nullptr) return (this->*expose)();
    run(*static_cast<stress_job*>(taken->environment.read()), mine);
    static_cast<void>(taken->complete());
  }
  void by_force() {
    if (forks_.has_private()) forks_.expose_by_force();
  }
  void by_asking() {
    if (!forks_.request_work()) forks_.cancel_request();
  }
  void pause_for_a_while() noexcept {
    forks_.pause_pops();
    dawdle();
    forks_.resume_pops();
    dawdle();
  }

  static void run(stress_job& job, loot& mine) {
    mine.push_back(job.number);
    job.result = job.number + 1;
  }

  std::size_t count_faults() {
    std::vector<int> run_count(jobs_.size());
    for (loot& each : loot_) {
      for (const std::size_t number : each) ++run_count[number];
      each.clear();
    }
    return jobs_.size() -
           static_cast<std::size_t>(std::count(run_count.begin(), run_count.end(), 1));
  }

  std::size_t burst_;
  stress_pops how_;
  std::uint64_t patience_ns_;
  bool has_waited_in_vain_ = false;
  std::uint64_t operations_ = 0;
  std::unique_ptr<entry[]> entries_;
  stack forks_;
  std::vector<stress_job> jobs_;
  std::vector<loot> loot_;  ///< The owner's, then one per thief.
};

}  // namespace filch::queue
