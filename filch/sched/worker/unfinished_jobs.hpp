#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/parker.hpp>
#include <filch/sched/worker/injectors.hpp>
#include <filch/sched/worker/job_count.hpp>
#include <filch/sched/worker/thread_table.hpp>
#include <filch/sched/worker/worker.hpp>

#include <cstdint>

namespace filch::inline v0_2::sched {

/// The detached jobs of a pool that have not ended: how many, and a wait for them. (README.md,
/// "Unfinished jobs")
/// Threads: any. `here` is the worker that the calling thread is in this pool, or null.
class unfinished_jobs {
 public:
  unfinished_jobs(const thread_table& threads, const injectors& injected) noexcept;

  /// A job is submitted: the pool waits for it until `end`. Call before it is visible, or from a
  /// job that is counted already.
  void begin(worker* here) noexcept {
    here != nullptr ? here->jobs.begin() : outside_.begin_beside_others();
  }
  void end(worker* here) noexcept {
    here != nullptr ? here->jobs.end() : outside_.end_beside_others();
    if (closing_.is_awaited()) [[unlikely]]
      look_whether_all_have_ended(here);
  }
  /// Around the end of a job that is freed without having run, by its worker.
  void discard_begins(worker& here) noexcept;
  void discard_ends() noexcept;

  bool have_all_ended() const noexcept;
  std::uint64_t count() const noexcept;
  /// Returns false if jobs are left at that time. `timer::never`: waits as long as it takes.
  /// Threads: one at a time.
  bool await_until(std::uint64_t until_ns) noexcept;
  /// The jobs left and those discarded so far. Waits for a moment for jobs that are being freed,
  /// which may or may not have ended; if it takes longer, they are left.
  struct summary {
    std::uint64_t left = 0;
    std::uint64_t discarded = 0;
  };
  summary summarize() noexcept;
  std::uint64_t discarded_count() const noexcept;

  // For `keep_alive`.
  void begin_use() noexcept {
    kept_alive_.fetch_add(1, base::relaxed);  // relaxed: the pool waits for a job until after this
  }
  void end_use() noexcept { kept_alive_.fetch_sub(1, base::release<edge::last_user>); }
  void await_uses() const noexcept;

 private:
  template <class Add>
  void for_each_count(Add add) const noexcept {
    add(outside_);
    for (unsigned i = 0; i < threads_.worker_count(); ++i) add(threads_.at(i).jobs);
  }
  FILCH_EXPORT void look_whether_all_have_ended(const worker* here) noexcept;
  bool leaves_jobs(const worker* here) const noexcept;

  const thread_table& threads_;
  const injectors& injected_;
  /// Jobs submitted by threads outside the pool, and ended with them; see `worker::jobs`.
  job_count outside_;
  quiescence closing_;  ///< Where the destructor, or `stop`, meets threads that end jobs.
  base::parker drained_;
  base::mutex discards_;
  std::uint64_t discards_under_way_ FILCH_GUARDED_BY(discards_) = 0;
  /// Writers: each `keep_alive`, by RMW. Reader: the destructor of the pool.
  alignas(base::cache_line_bytes) base::atomic<std::uint32_t> kept_alive_{0};
};

}  // namespace filch::sched
