#pragma once
#include <filch/base/stopped.hpp>
#include <filch/topo/pinning.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>

namespace filch::inline v0_2 {

struct starvation_report;

/// The options of a `thread_pool`. All have defaults.
struct pool_options {
  /// Jobs that run at once; 0 takes FILCH_WORKERS or what the CPU budget allows.
  unsigned workers = 0;
  /// At most so many jobs run at once: bounds what FILCH_WORKERS or the CPU budget gives, also when
  /// the budget changes. 0: no bound. A larger `workers` beside it is an error: the constructor
  /// throws `std::invalid_argument`.
  unsigned max_workers = 0;
  /// Further threads that may take over the slots of waiting and blocking ones. The driver, which
  /// sleeps for timers and I/O, is not one of them.
  unsigned max_spares = 256;
  pinning pin = pinning::none;  ///< The CPUs of the pool's threads.
  std::uint64_t seed = 0;       ///< Of the victim choice. Any value will do.
  /// Gets an exception that leaves a submitted job, on the thread that ran it, or a spawned task,
  /// on the thread that dropped its handle if that came later. Null prints it and terminates.
  void (*on_escaped_exception)(std::exception_ptr) noexcept = nullptr;
  /// Called when all threads of the pool have waited for a second while a job is queued and no
  /// thread is left to begin it: include `<filch/starvation.hpp>`. Once, and again if a job has
  /// begun since. Null prints the first report to stderr. Only waits that give their slot away are
  /// seen: filch's own, and calls inside `filch::blocking`. A thread that waits otherwise, on a
  /// condition variable for instance, seems to work, and nothing is reported.
  /// Threads: one of the pool's own, which runs no jobs and blocks all signals.
  void (*on_starvation)(const starvation_report&) noexcept = nullptr;

  // -----------------------------------------------------------------------------------------------
  // its threads
  /// Bytes of a thread's stack, at least 64 KiB; 0 takes the system's default. External threads
  /// keep theirs.
  std::size_t stack_bytes = 0;
  /// The name of the threads, with "-" and their `worker_index`, in 15 characters (Linux). Null or
  /// "": a thread has the name of the thread that starts it.
  /// Lifetime: read by the constructor only.
  const char* thread_name = "filch";
  /// Added to the nice value of the thread that makes the pool (Linux): 10 lets other programs go
  /// first. A negative one needs a right; without it the constructor throws `std::system_error`. 0:
  /// a thread has the value of the thread that starts it.
  int nice = 0;
  /// True: the pool's threads block all signals but faults and the clocks of profilers. A program
  /// that a job starts inherits that, and could not be interrupted. False: they block what the
  /// thread that makes the pool blocks.
  bool block_signals = false;
  /// Called by each thread of the pool, before its first job; `on_thread_stop` after its last one:
  /// to attach it to a virtual machine, say. A thread starts when work needs it, or in `warm_up`,
  /// which waits for the call. In the child of fork() it starts anew.
  /// Threads: the new one, several at once. It may hold no slot, so forks and submissions come as
  /// from outside, and `filch::worker_index()` is `no_worker`.
  /// Throws:  exceptions go to `on_escaped_exception`; the thread goes on.
  /// Lifetime: `context` is in use until the destructor of the pool returns. `thread_local` objects
  /// die after the last call.
  void (*on_thread_start)(unsigned worker_index, void* context) = nullptr;
  void (*on_thread_stop)(unsigned worker_index, void* context) = nullptr;
  void* thread_context = nullptr;  ///< The `context` of these two calls.
};

/// Thrown by `run` and `submit` after `request_stop`.
class FILCH_EXPORT pool_stopped : public operation_cancelled {
 public:
  const char* what() const noexcept override {
    return "filch: the pool was asked to stop; it takes no new work";
  }
};

}  // namespace filch
