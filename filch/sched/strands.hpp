#pragma once
// Where the strands of a thread begin and end, for an analysis that watches it (span/README.md).
#include <filch/sched/current.hpp>

namespace filch::inline v0_2::sched {

/// A point in the run of a watched thread at which a job may begin. Its contents belong to the
/// observer.
struct spawn_point {
  virtual ~spawn_point() = default;
};

/// What the thread does from now on: compute, or wait in the kernel or for a slot.
enum class strand_doing : unsigned char { computing, blocked };

/// Observes one thread. All that is forked there meanwhile runs as plain calls, one after the
/// other: the thread never answers a request and has no fork that a thief could take. Each call
/// here ends one strand and begins the next. A join calls `fork`, `begin_right`, `end_job`. A
/// group's job calls `spawn`, and when it runs `begin_spawned`, `end_job`.
class strand_observer {
 public:
  /// The left side of a join follows. `site`: the function that would run the right side on another
  /// thread. Throws: `std::bad_alloc`.
  virtual void fork(const void* site) = 0;
  virtual void begin_right() noexcept = 0;
  /// A job may begin here, in parallel with what follows. The caller deletes the result.
  /// Throws: `std::bad_alloc`.
  virtual spawn_point* spawn(const void* site) = 0;
  /// A job of `site` follows, run by the thread that waits for it. `from` is where it was spawned,
  /// under this or another observer; null if that thread was not watched.
  virtual void begin_spawned(const void* site, const spawn_point* from) noexcept = 0;
  /// The right side of the last `fork`, or the last spawned job, is over, and has been waited for.
  virtual void end_job() noexcept = 0;
  /// Returns what it did before.
  virtual strand_doing change(strand_doing next) noexcept = 0;
  /// A job goes to other threads, which are not watched.
  virtual void submit() noexcept = 0;

 protected:
  ~strand_observer() = default;
};

/// The observer of this thread; mostly null. Read on the slow path of a fork, which all forks of a
/// watched thread take.
FILCH_EXPORT FILCH_TLS_INITIAL_EXEC extern constinit thread_local strand_observer* current_observer;

/// True outside every pool while roots are watched.
FILCH_EXPORT bool will_be_watched() noexcept;
/// True on a thread that is watched, and on one that will be as soon as it forks or waits. A job of
/// such a thread runs on the thread that waits for it.
inline bool is_watched() noexcept {
  return current_observer != nullptr || (is_outside() && will_be_watched());
}

/// Tells the observer, if there is one. Returns what to tell it when that is over.
inline strand_doing change_strand(strand_doing next) noexcept {
  return current_observer == nullptr ? next : current_observer->change(next);
}

}  // namespace filch::sched
