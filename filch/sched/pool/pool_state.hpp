#pragma once
#include <filch/sched/pool/metrics.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/sched/pool/pool_monitor.hpp>
#include <filch/sched/pool/starvation.hpp>
#include <filch/sched/pool/stop.hpp>
#include <filch/sched/pool/stoppable.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <string>
#include <vector>

namespace filch::inline v0_2::sched {

/// The function that goes on at `at` when its call returns, with file and offset.
/// Throws: `std::bad_alloc`.
std::string name_of(const void* at);

/// A scheduler with what a pool adds to it: its end, its reports, and the objects that users see.
class pool_state final : public scheduler {
 public:
  /// As `scheduler`.
  pool_state(const pool_options& options, unsigned slot_count);
  /// That of a scheduler: each is part of one.
  static pool_state& of(scheduler& each) noexcept { return static_cast<pool_state&>(each); }

  /// The number of slots asked for; zero if it follows the budget.
  unsigned asked_count() const noexcept { return asked_count_; }
  /// The object that users see; once one of the pool's own jobs has destroyed it, `lasting`.
  // Relaxed: publishes nothing, see `show`
  thread_pool& shown() const noexcept { return *shown_.load(base::relaxed); }
  /// Called before the pool is used, and when that object ends. A thread that has learnt of the end
  /// sees `lasting`. A thread that has not may use the object while it ends, and no order would
  /// prevent that: filch's own parts take `lasting`.
  void show(thread_pool& as) noexcept { shown_.store(&as, base::relaxed); }  // relaxed: as above
  /// This pool for filch's own parts. A job that destroys its own pool cannot wait for itself: the
  /// pool is asked to stop, and this and its threads stay for the process. The program's object
  /// is gone then, while jobs still ask for their pool, so this has an object of its own. It is
  /// never destroyed, not even if the constructor throws.
  thread_pool& lasting() noexcept { return lasting_.pool; }

  /// The monitor, if it keeps time limits while the workers compute: in a pool of one. Null in a
  /// pool of several, which has a driver, and in a simulation.
  pool_monitor* timekeeper() noexcept;
  /// From now on `stop` asks and names `begun`, a job of this pool or a part of one, until it is
  /// removed (`stoppables::remove`).
  void add_stoppable(stoppable& begun) noexcept;
  /// As `thread_pool::stop`; the deadline by `base::now_ns`.
  stop_report stop(std::uint64_t deadline_ns, std::uint64_t grace_ns);
  void finish_and_join() noexcept;

  metrics_snapshot metrics() const;
  /// Where threads wait. Throws: `std::bad_alloc`.
  std::vector<waiting_threads> waiting() const;
  /// A job is queued, and no thread computes. For the monitor, as the next two.
  bool is_starved() const noexcept;
  std::uint64_t jobs_begun() const noexcept;
  void report_starvation() noexcept;

 private:
  void note_use() noexcept override { monitor_.note_use(); }
  void note_shortage() noexcept override { monitor_.note_shortage(); }
  union lasting_object {
    explicit lasting_object(scheduler& of) noexcept : pool{of} {}
    ~lasting_object() {}
    thread_pool pool;
  };
  void run_leftovers() noexcept;
  void await_jobs_until(std::uint64_t until_ns) noexcept;
  void name_stoppables(stop_report& in);
  void tell_what_is_awaited() noexcept;

  const unsigned asked_count_;
  lasting_object lasting_{*this};
  /// Writers: the threads that make, fork and destroy the object. Readers: all.
  base::atomic<thread_pool*> shown_{nullptr};
  pool_monitor monitor_;
  base::atomic<std::uint64_t> starvations_{0};  ///< Writer: the monitor. Readers: any.
  base::mutex stopping_;                        ///< Held by the thread that waits in `stop`.
  stoppables stoppables_;
  mutable base::mutex telling_;
  mutable metrics_snapshot told_ FILCH_GUARDED_BY(telling_);  ///< The last.
};

}  // namespace filch::sched
