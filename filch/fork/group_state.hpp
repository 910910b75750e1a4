#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/sync.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/sched/worker/recorded_job.hpp>

#include <cstdint>
#include <exception>

namespace filch::inline v0_2::sched {
struct slot_waiter;
struct spawn_point;
}  // namespace filch::sched

namespace filch::inline v0_2::fork {

/// One job of a group, in the group's own list until a thread begins it.
struct group_job {
  enum class fate { run, discard };
  /// Runs the job or only frees it, and returns what it threw. The object is destroyed afterwards.
  std::exception_ptr (*finish)(group_job*, fate) noexcept;
  group_job* older = nullptr;
  group_job* newer = nullptr;
  std::uint64_t number = 0;  ///< In order of `run`: decides which exception wins.
  /// The point at which a watched thread added it. The group deletes it.
  sched::spawn_point* spawned_at = nullptr;
};

/// The state that a `task_group` shares with the tickets of its jobs. A job waits in the group's
/// list; a ticket in a ready queue lets any worker come and take one job. So the group's own wait
/// finds its jobs without meeting those of others. (README, "Task groups")
class group_state {
 public:
  FILCH_EXPORT explicit group_state(sched::scheduler& core) noexcept;
  group_state(const group_state&) = delete;
  group_state& operator=(const group_state&) = delete;
  FILCH_EXPORT static void release(group_state* state) noexcept;

  FILCH_EXPORT void add(group_job* job);
  FILCH_EXPORT void wait() noexcept;
  FILCH_EXPORT void rethrow();
  FILCH_EXPORT void drop_error() noexcept;
  // Relaxed: when it takes effect is a matter of timing anyway
  void cancel() noexcept { cancelled_.store(true, base::relaxed); }
  bool is_cancelled() const noexcept { return cancelled_.load(base::relaxed); }

 private:
  struct ticket;
  struct running;
  /// A group that waits in one of its own jobs would wait forever: ends the process with a message.
  /// `at` is the caller of the wait.
  void check_that_none_is_below(const void* at) const noexcept;
  /// A wait begins with the newest job, as a stack would. Tickets begin with the oldest, which is
  /// the biggest piece.
  enum class from : unsigned char { oldest, newest };
  group_job* take(from end) noexcept;
  bool run_one(from end) noexcept;
  static sched::recorded_job tell(const group_job& begun, from end) noexcept;
  static std::exception_ptr run(group_job* job, group_job::fate end) noexcept;
  bool retract_ticket(sched::worker& here) noexcept;
  bool is_finished() noexcept;
  void add_watched(group_job* job);
  bool leaves_too_many_tickets() noexcept;
  void add_without_ticket(group_job* job) noexcept;
  void append(group_job* job) FILCH_REQUIRES(lock_);
  void finish_one(std::uint64_t number, std::exception_ptr error) noexcept;
  void help_until_finished(const void* at) noexcept;
  void sleep(sched::worker& here, const void* at) noexcept;

  sched::scheduler& core_;
  base::mutex lock_;
  group_job* oldest_ FILCH_GUARDED_BY(lock_) = nullptr;
  group_job* newest_ FILCH_GUARDED_BY(lock_) = nullptr;
  std::uint64_t added_ FILCH_GUARDED_BY(lock_) = 0;
  std::uint64_t unfinished_ FILCH_GUARDED_BY(lock_) = 0;
  /// A `base::float_mode`, of all jobs. Writer: the thread that adds the first job. Readers: all.
  base::atomic<std::uint32_t> float_mode_{0};
  std::exception_ptr error_ FILCH_GUARDED_BY(lock_);
  std::uint64_t error_number_ FILCH_GUARDED_BY(lock_) = 0;
  sched::slot_waiter* sleeper_ FILCH_GUARDED_BY(lock_) = nullptr;
  base::atomic<bool> cancelled_{false};   ///< Writers: any. Readers: any.
  base::atomic<std::uint64_t> users_{1};  ///< The group and its tickets. By RMW.
};

}  // namespace filch::fork
