// Central queue: one list of jobs for all workers, behind one mutex, with one condition variable
// for the workers that find it empty.
//
// Source: the thread pool of every textbook (Birrell, "An Introduction to Programming with
//         Threads", 1989); Java's `ThreadPoolExecutor`; Go's scheduler before 1.1, whose single
//         lock Vyukov's design document of 2012 did away with.
// Cost:   a lock and an unlock for each spawn and again for each job taken, plus a wake if a worker
//         sleeps.
// Hurts:  small jobs: every worker meets at one lock and one cache line, so more workers can make
//         it slower than one.
// Tuned:  youngest job first, which keeps the list short and the caches warm (oldest first holds
//         whole levels of the tree: 200 MB on UTS T1); a waker signals outside the lock, and only
//         if a worker waits.
#include <compare/crew.hpp>
#include <compare/rivals.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>

namespace filch::compare {
namespace {

class central_queue final : public scheduler {
  struct seat final : worker {
    seat(unsigned index, tally& counts, central_queue& owner)
        : worker{index, counts}, queue{owner} {}
    void spawn(const job& child) override { queue.push(child); }
    central_queue& queue;
  };

 public:
  explicit central_queue(unsigned workers)
      : scheduler{workers}, crew_{workers, [this](unsigned index) { work(seats_[index]); }} {
    for (unsigned index = 0; index < workers; ++index)
      seats_.emplace_back(index, tally_of(index), *this);
  }

 private:
  void run_tree(const job& root) override {
    waiting_ = 0;
    jobs_.push_back(root);
    crew_.round();
  }

  void work(seat& me) {
    job next;
    while (take(next)) me.run(next);
  }

  void push(const job& child) {
    bool somebody_waits;
    {
      const std::lock_guard lock{mutex_};
      jobs_.push_back(child);
      somebody_waits = waiting_ > 0;
    }
    // Tolerated: glibc 2.36 may lose a signal. That costs one worker's help until the next push;
    // the last `notify_all` is not concerned.
    if (somebody_waits) ready_.notify_one();
  }

  /// Returns false when every worker waits: then no worker is left that could spawn.
  bool take(job& next) {
    std::unique_lock lock{mutex_};
    if (jobs_.empty()) {
      if (++waiting_ == seats_.size()) ready_.notify_all();
      ready_.wait(lock, [this] { return !jobs_.empty() || waiting_ == seats_.size(); });
      if (jobs_.empty()) return false;
      --waiting_;
    }
    next = jobs_.back();
    jobs_.pop_back();
    return true;
  }

  std::mutex mutex_;
  std::condition_variable ready_;  ///< There is a job, or no worker is left to make one.
  std::deque<job> jobs_;           ///< Under `mutex_`.
  std::size_t waiting_ = 0;        ///< Under `mutex_`. Workers inside `take` with nothing to take.
  std::deque<seat> seats_;
  crew crew_;  // last: its threads use the rest
};

}  // namespace

std::unique_ptr<scheduler> make_central_queue(unsigned workers) {
  return std::make_unique<central_queue>(workers);
}

}  // namespace filch::compare
