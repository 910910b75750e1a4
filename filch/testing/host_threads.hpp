#pragma once
#include <filch/base/parker.hpp>
#include <filch/base/thread.hpp>
#include <filch/base/thread_switch.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace filch::inline v0_2::testing {

/// While it lives, this thread is a real one, although a simulation runs it.
class host_scope {
 public:
  host_scope() noexcept : left_{std::exchange(base::simulated, nullptr)} {}
  ~host_scope() { base::simulated = left_; }
  host_scope(const host_scope&) = delete;
  host_scope& operator=(const host_scope&) = delete;

 private:
  base::simulation* left_;
};

/// A host thread: its stack and its thread-local variables serve one simulated thread after the
/// other.
struct host_thread {
  base::parker wake_token;       ///< With it, this thread may go on.
  void (*run)(void*) = nullptr;  ///< To be called when it has the turn next; null: end.
  void* argument = nullptr;
  base::lent_thread lent;  ///< If threads are switched.
  base::thread os;
};

/// The host threads of an exploration, one of which has the turn. They are reused, since starting a
/// thread takes longer than most runs.
///
/// If `base::can_switch_threads`, one thread of the system, the runner, runs in the place of all of
/// them, and to hand over the turn takes no system call. Otherwise each waits for its wake token.
/// Threads: the one that has the turn, and outside of runs one that begins them.
class host_threads {
 public:
  host_threads() = default;
  ~host_threads();
  host_threads(const host_threads&) = delete;
  host_threads& operator=(const host_threads&) = delete;

  /// A host thread that will call `run(argument)` at its next turn.
  host_thread& take(void (*run)(void*), void* argument);
  /// Takes `done` back, which from now on only hands over its turn.
  void put_back(host_thread& done) { idle_.push_back(&done); }

  /// Gives the turn to `first`, and returns at once.
  void begin(host_thread& first);
  /// Gives the turn of `from` to `to`. Returns when `from` has the turn again; if it has been put
  /// back, perhaps at once.
  void hand_over(host_thread& from, host_thread& to, bool comes_back) noexcept;
  /// Ends the run that `last` has the turn of. Returns as `hand_over` does.
  void end(host_thread& last, bool comes_back) noexcept;

 private:
  static void serve(host_thread& me) noexcept;
  static void run_lent(void* self) noexcept;
  void start(host_thread& made);
  void run_all() noexcept;

  const bool switches_ = base::can_switch_threads();
  /// The CPU of all of them, if they run themselves: handing on a turn between two CPUs takes twice
  /// as long.
  int cpu_ = -1;
  std::vector<std::unique_ptr<host_thread>> threads_;
  std::vector<host_thread*> idle_;
  base::parker begun_;            ///< A token for each call of `begin`.
  host_thread* first_ = nullptr;  ///< Of the run that begins; null: the runner ends.
  base::thread_context home_;     ///< Of the runner, while a run goes on.
  base::thread runner_;
};

}  // namespace filch::testing
