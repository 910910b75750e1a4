#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/edges.hpp>
#include <filch/sched/options.hpp>
#include <filch/sched/worker/neighbourhood.hpp>
#include <filch/topo/affinity.hpp>

#include <memory>
#include <vector>

namespace filch::inline v0_2::sched {

class scheduler;
class worker;
struct slot;

/// More spares than this would not fit the tables; no program has use for that many blocked
/// threads.
inline constexpr unsigned most_spares = 32768;

/// The workers of a pool, and the threads that run them. Threads: any, where nothing else is said.
class thread_table {
 public:
  /// `options` outlive this.
  thread_table(scheduler& of, const pool_options& options, unsigned slot_count);
  ~thread_table();

  unsigned slot_count() const noexcept { return slot_count_; }
  unsigned capacity() const noexcept { return capacity_; }
  /// Workers created so far; they have the indices below it and live as long as the pool.
  unsigned worker_count() const noexcept { return created_.load(base::acquire<edge::enlist>); }
  worker& at(unsigned index) const noexcept {
    return *table_[index].load(base::acquire<edge::enlist>);
  }
  unsigned thread_count() const noexcept { return thread_count_.load(base::relaxed); }

  /// Starts a thread that searches with the slot given, or parks first if that is null.
  /// Throws: `std::system_error` naming the thread, when the system refuses one or there are
  /// enough.
  void start(slot* to_search_with);
  FILCH_EXPORT bool try_start(slot* to_search_with) noexcept;
  /// Starts a thread that parks first, as the driver. Also if there are enough threads, as all of
  /// these may compute or block.
  FILCH_EXPORT bool try_start_driver() noexcept;
  /// Starts a thread if there is none. A pool without threads may never get one; then a job must
  /// not wait for it. With one thread the job will run, however late. Throws: as `start`.
  void start_first();
  /// The same, however often the system refuses one. Call before waiting for detached work.
  void insist_on_one() noexcept;
  /// As `thread_pool::warm_up`.
  void warm_up();
  /// A worker for an external thread, or null when `most_external` of these are in the pool.
  /// Throws: `std::bad_alloc`, `std::system_error`.
  worker* add_external();
  /// Joins all threads. Call when no worker parks any more.
  void join_all() noexcept;

  /// On a new thread: its CPU, name and nice value, as `pool_options` say.
  void prepare(const worker& thread) const noexcept;
  const neighbourhood& neighbours() const noexcept { return neighbours_; }

 private:
  worker* create() FILCH_REQUIRES(life_);
  void start_one_of(unsigned most, slot* to_search_with);
  std::uint64_t begun_count() const noexcept;  ///< Threads that run.
  std::vector<base::thread> take_threads() noexcept;
  [[noreturn]] void throw_no_spare() const;
  void pin(const worker& thread) const noexcept;

  scheduler& of_;
  const pool_options& options_;
  const unsigned slot_count_;
  const unsigned capacity_;
  std::unique_ptr<base::atomic<worker*>[]> table_;  ///< Writer: `create`. Readers: all.
  base::atomic<unsigned> created_{0};               ///< Writer: `create`. Readers: all.
  base::mutex life_;
  std::vector<base::thread> threads_ FILCH_GUARDED_BY(life_);
  base::atomic<unsigned> thread_count_{0};  ///< Writers: under `life_`. Readers: all.

  /// Of its threads, whichever thread starts them. The signal mask is set on the starter meanwhile,
  /// so that no signal finds the new thread with another mask.
  const base::thread_attributes attributes_;
  const int nice_;              ///< The same, if `pool_options::nice` is not 0.
  std::vector<unsigned> cpus_;  ///< Where worker i is pinned, modulo; empty: nowhere.
  topo::thread_id maker_;       ///< The thread that made a pool with pins.
  neighbourhood neighbours_;    ///< By these.
};

}  // namespace filch::sched
