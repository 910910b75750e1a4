#pragma once
#include <compare/edges.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/parker.hpp>
#include <filch/base/sync.hpp>
#include <filch/base/thread.hpp>

#include <functional>
#include <vector>

namespace filch::compare {

/// The threads of a scheduler. They sleep between rounds; in a round each calls `work(index)` once.
class crew {
 public:
  /// Throws: `std::system_error` when the system refuses a thread; those already started are joined
  /// first.
  crew(unsigned workers, std::function<void(unsigned)> work);
  ~crew();
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;

  /// Lets every thread call `work` and returns when all have returned from it.
  void round();

 private:
  crew(std::function<void(unsigned)> work, unsigned beds);
  void live(unsigned index);

  const std::function<void(unsigned)> work_;
  std::vector<base::parker> beds_;
  base::parker caller_;
  /// Writers: the caller before a round, each worker at its end.
  base::atomic<unsigned> working_{0};
  bool dismissed_ = false;  ///< Writer: the destructor, before it wakes all threads.
  std::vector<filch::base::thread> threads_;
};

/// Where idle workers sleep. Notices that all of them do: only running jobs spawn jobs, so then the
/// tree is done.
class lobby {
 public:
  explicit lobby(unsigned workers) : beds_(workers) { asleep_.reserve(workers); }

  /// Before a round: all workers count as awake.
  void open();
  /// For a worker without work. Sleeps until a pusher wakes it, unless `has_work()` sees a job that
  /// the pusher published before it could see the sleeper. `has_work` must not take a job, and no
  /// pusher may hold a lock that it takes. Returns false when all workers are here: the computation
  /// is over.
  template <class HasWork>
  [[nodiscard]] bool wait_for_work(unsigned index, HasWork&& has_work);
  /// After publishing a job: wakes one sleeper, if there is any. Either the sleeper's `has_work`
  /// sees the job, or this sees the sleeper, provided that publishing and `has_work` lock the same
  /// mutex or are both seq_cst.
  void wake_one() {
    if (sleepers_.load(base::seq_cst<edge::sleep>) > 0) wake_last();
  }
  /// As `wake_one`, for the worker whose inbox got the job.
  void wake(unsigned index) {
    if (sleepers_.load(base::seq_cst<edge::sleep>) > 0) wake_sleeper(index);
  }

 private:
  void wake_last();
  void wake_sleeper(unsigned index);
  void wake_locked(std::vector<unsigned>::iterator sleeper) FILCH_REQUIRES(mutex_);
  void lie_down(unsigned index) FILCH_REQUIRES(mutex_);
  bool is_over();

  std::vector<base::parker> beds_;
  base::mutex mutex_;
  std::vector<unsigned> asleep_ FILCH_GUARDED_BY(mutex_);
  bool over_ FILCH_GUARDED_BY(mutex_) = false;
  base::atomic<std::size_t> sleepers_{
      0};  ///< Size of `asleep_` and one more while a worker looks again. Writers: under the lock.
};

template <class HasWork>
bool lobby::wait_for_work(unsigned index, HasWork&& has_work) {
  {
    const base::lock_guard lock{mutex_};
    sleepers_.store(asleep_.size() + 1, base::seq_cst<edge::sleep>);
    if (has_work()) {
      // Too high for a moment costs a needless `wake_last`, no more
      sleepers_.store(asleep_.size(), base::relaxed);
      return true;
    }
    lie_down(index);
    if (over_) return false;
  }
  beds_[index].park();
  return !is_over();
}

}  // namespace filch::compare
