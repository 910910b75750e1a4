#pragma once
// The seam to the deterministic scheduler of `filch/testing`: a simulation may replace the machine.
// The library is compiled twice. In `filch::filch` everything here is nothing. In `filch::testing`,
// compiled with FILCH_TESTING, a simulated thread calls the simulation at every access, wait, pause
// and clock reading.
#include <filch/base/order.hpp>
#include <filch/base/thread_words.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>

namespace filch::inline v0_2::base {

#if defined(FILCH_TESTING)
inline constexpr bool can_simulate = true;

/// The source location of an access. A default argument, so that it is the caller's.
struct place {
  constexpr place(const char* in_function = __builtin_FUNCTION(),
                  const char* in_file = __builtin_FILE(),
                  unsigned at_line = __builtin_LINE()) noexcept
      : function{in_function}, file{in_file}, line{at_line} {}
  const char* function;
  const char* file;
  unsigned line;
};
#else
inline constexpr bool can_simulate = false;
struct place {};
#endif

class waiting_for;

/// What an access does to the cache line of its word.
enum class effect : unsigned char { none, reads, writes, modifies, interrupts };

/// An access to shared memory, for a simulation. `word` is null if it has none.
struct access {
  const char* what;
  effect does = effect::none;
  const void* word = nullptr;
};

/// What a thread waits for, in words, and the object. A report adds the number of the object and
/// its holder.
struct awaited {
  const char* what;
  const void* thing = nullptr;
};

/// Replaces kernel and clock while threads are simulated. One thread of a simulation runs at a
/// time, and calls this; so an implementation needs no locks.
class simulation {
 public:
  static constexpr std::uint64_t no_deadline = ~std::uint64_t{0};
  /// A simulated thread; each simulation has its own kind.
  class sim_thread {
   protected:
    ~sim_thread() = default;
  };

  /// Call before an access: now and then another thread goes first. `weight` says how many accesses
  /// it counts for.
  void step(access made, place where, std::uint32_t weight = 1) noexcept {
    if (steps_left_ > weight) [[likely]] {
      steps_left_ -= weight;
    } else {
      steps_left_ = 0;
      decide(made, where);
    }
  }
  /// The calling thread computes for so long.
  virtual void spend(std::uint64_t nanoseconds) noexcept = 0;
  /// The calling thread reads or writes plain data.
  virtual void touch(const void* data, std::size_t bytes, effect does, place where) noexcept = 0;
  /// Call in a loop that waits for another thread: lets another one run, if any can.
  virtual void pause() noexcept = 0;
  /// Sleeps until `wake_one` on the same address, or for that long. Returns false if the time ran
  /// out. May return for no reason.
  virtual bool wait(const void* address, std::uint64_t nanoseconds) noexcept = 0;
  virtual void wake_one(const void* address) noexcept = 0;
  /// A thread that looks for work may come and steal what this thread has forked, before it goes
  /// on.
  virtual void step_aside() noexcept = 0;
  virtual std::uint64_t now_ns() noexcept = 0;
  /// Starts a thread that runs `run(self)`, which frees `self`. Null: refused, as a system may do.
  virtual sim_thread* start(const char* role, unsigned number, void (*run)(void* self),
                            void* self) = 0;
  virtual void join(sim_thread& ending) noexcept = 0;

  // -----------------------------------------------------------------------------------------------
  // what it is told
  /// The calling thread does something with a name: a step that counts for many, and a line of the
  /// schedule.
  virtual void note(const char* name, const char* what) noexcept = 0;
  /// The calling thread holds a lock from now on; `unlocked`: no more.
  virtual void locked(const void* lock) noexcept = 0;
  virtual void unlocked(const void* lock) noexcept = 0;
  /// Why the calling thread waits. Returns the previous reason.
  virtual const waiting_for* explain(const waiting_for* why) noexcept = 0;
  /// Ends the run here: this thread does not come back.
  [[noreturn]] virtual void fail(const char* message) noexcept = 0;
  /// No code will ever see this exception.
  virtual void lose(const std::exception_ptr& lost) noexcept = 0;
  /// Prints what was going on, for a process that is about to end.
  virtual void last_words() noexcept = 0;

  // -----------------------------------------------------------------------------------------------
  // what it replaces
  std::uint64_t seed = 0;          ///< Of the run: all random input must come from it.
  void* default_pool = nullptr;    ///< A `thread_pool` in place of the process's own.
  unsigned cpu_count = 1;          ///< In place of the machine's.
  bool steals_everything = false;  ///< Every fork is public at once, and its owner steps aside.
  /// It looks for faults of a schedule: spinning is in vain, and `base/simulated_tasks.hpp` reports
  /// to it. Else it looks for costs.
  bool explores = false;

 protected:
  ~simulation() = default;
  virtual void decide(access made, place where) noexcept = 0;
  std::uint32_t steps_left_ = 0;  ///< Until the next `decide`.
};

/// The simulation of the calling thread; null outside. Defined in `filch/testing`.
FILCH_TLS_INITIAL_EXEC extern constinit thread_local simulation* simulated;

/// The simulation of the calling thread; null on real threads.
[[gnu::always_inline]] inline simulation* current_simulation() noexcept {
  if constexpr (can_simulate) {
    return simulated;
  } else {
    return nullptr;
  }
}

#if defined(FILCH_TESTING)
/// What real threads do at scheduling points while a test makes noise (`filch/testing/noise.hpp`).
using noise_maker = void (*)(place where) noexcept;
inline constinit std::atomic<noise_maker> noise_now = nullptr;

/// Returns false if there is noise already.
inline bool begin_noise(noise_maker make) noexcept {
  noise_maker none = nullptr;
  return noise_now.compare_exchange_strong(none, make, relaxed);
}
inline void end_noise() noexcept { noise_now.store(nullptr, relaxed); }

/// A point that no simulation sees.
[[gnu::always_inline]] inline void make_noise(place where) noexcept {
  // Relaxed: noise begins and ends at no certain point
  if (const noise_maker make = noise_now.load(relaxed)) [[unlikely]]
    make(where);
}

/// A scheduling point.
[[gnu::always_inline]] inline void step(access made, place where) noexcept {
  simulation* const sim = current_simulation();
  sim != nullptr ? sim->step(made, where) : make_noise(where);
}
#else
[[gnu::always_inline]] inline void step(access, place) noexcept {}
#endif

/// Reports an access to plain data, which is no scheduling point.
[[gnu::always_inline]] inline void touch(const void* data, std::size_t bytes, effect does,
                                         place where) noexcept {
  if (simulation* const sim = current_simulation()) sim->touch(data, bytes, does, where);
}

/// While it lives, it says why the thread waits: a deadlock is reported in these words.
class [[maybe_unused]] waiting_for {
 public:
  static constexpr unsigned nobody = ~0u;
  explicit waiting_for(const char* in_words) noexcept : waiting_for{awaited{in_words}} {}
  explicit waiting_for(awaited what_and_which) noexcept
      : what{what_and_which.what}, thing{what_and_which.thing} {
    if (simulation* const sim = current_simulation()) outer_ = sim->explain(this);
  }
  /// As above; the callable returns the number to put behind the words, or `nobody`.
  template <std::invocable Whom>
  waiting_for(const char* in_words, Whom whom) noexcept : what{in_words} {
    if (simulation* const sim = current_simulation()) {
      number = whom();
      outer_ = sim->explain(this);
    }
  }
  ~waiting_for() {
    if (simulation* const sim = current_simulation()) sim->explain(outer_);
  }
  waiting_for(const waiting_for&) = delete;
  waiting_for& operator=(const waiting_for&) = delete;

  const char* const what;
  const void* const thing = nullptr;
  unsigned number = nobody;

 private:
  const waiting_for* outer_ = nullptr;
};

}  // namespace filch::base
