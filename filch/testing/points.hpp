#pragma once
// Scheduling points for a program under test: named places, data and locks at which the scheduler
// may let another thread run first. In a program that links `filch::filch` these are nothing, a
// plain value, and a plain lock.
#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/thread.hpp>

#include <utility>

namespace filch::inline v0_2::testing {

/// Reports an access to a named thing: to the simulation, or on a real thread to the noise.
inline void tell(const char* name, const char* what,
                 [[maybe_unused]] base::place where = {}) noexcept {
  if (base::simulation* const sim = base::current_simulation()) return sim->note(name, what);
#if defined(FILCH_TESTING)
  base::make_noise(where);
#endif
}

/// A scheduling point. `name` lives as long as the program, as literals do; so do all names below.
/// Example: examples/test_schedules.cpp
inline void point(const char* name, base::place where = {}) noexcept {
  tell(name, "passes", where);
}

/// The seed of the run, for a body that draws its input: replayed, it draws the same. Zero outside
/// of a run.
inline std::uint64_t seed() noexcept {
  const base::simulation* const sim = base::current_simulation();
  return sim == nullptr ? 0 : sim->seed;
}

/// The calling thread computes for so long. Nothing outside of a simulation, so that a program can
/// say what its real work costs.
inline void spend(std::uint64_t nanoseconds) noexcept {
  if (base::simulation* const sim = base::current_simulation()) sim->spend(nanoseconds);
}

/// The calling thread reads, or with `writes` changes, plain data. A simulated machine charges for
/// the cache lines; nothing otherwise. Writes alone hardly wait there: stores wait in a buffer.
inline void touch(const void* data, std::size_t bytes, bool writes = false,
                  base::place where = {}) noexcept {
  base::touch(data, bytes, writes ? base::effect::writes : base::effect::reads, where);
}

/// Ends the run as a failure unless `condition`; outside of one, ends the process.
inline void check(bool condition, const char* claim) noexcept {
  if (condition) return;
  if (base::simulation* const sim = base::current_simulation()) sim->fail(claim);
  FILCH_ASSERT(condition, claim, 0);
}

/// A plain value whose reads and writes are scheduling points, so that a race on it shows.
template <class T>
class shared {
 public:
  explicit shared(const char* name, T value = T{}) : name_{name}, value_{std::move(value)} {}
  shared(const shared&) = delete;
  shared& operator=(const shared&) = delete;

  T read(base::place where = {}) const {
    tell(name_, "reads", where);
    return value_;
  }
  void write(T value, base::place where = {}) {
    tell(name_, "writes", where);
    value_ = std::move(value);
  }

 private:
  const char* const name_;
  T value_;
};

/// A lock that the scheduler knows: a std::mutex that one simulated thread holds would block
/// another one for real. In a pool, wait for it inside `filch::blocking` if other jobs must go on
/// meanwhile.
class FILCH_CAPABILITY("mutex") mutex {
 public:
  explicit mutex(const char* name) noexcept : name_{name} {}

  void lock() noexcept FILCH_ACQUIRE() FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
    const base::waiting_for why{name_};
    if (base::simulation* const sim = base::current_simulation()) sim->note(name_, "locks");
    mutex_.lock();
  }
  [[nodiscard]] bool try_lock() noexcept FILCH_TRY_ACQUIRE(true)
      FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
    if (base::simulation* const sim = base::current_simulation()) sim->note(name_, "tries to lock");
    return mutex_.try_lock();
  }
  void unlock() noexcept FILCH_RELEASE() FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
    mutex_.unlock();
    if (base::simulation* const sim = base::current_simulation()) sim->note(name_, "has unlocked");
  }

 private:
  const char* const name_;
  base::mutex mutex_;
};

/// A thread outside every pool; its destructor joins it.
/// Example: examples/test_schedules.cpp
class thread {
 public:
  template <class F>
  thread(const char* name, F&& body)
      : thread_{base::start_thread(base::waiting_for::nobody, std::forward<F>(body), name)} {}
  ~thread() { join(); }
  thread(const thread&) = delete;
  thread& operator=(const thread&) = delete;
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  base::thread thread_;
};

/// Sleeps; in a simulation only the clock advances.
inline void nap(std::chrono::nanoseconds length) { base::nap_thread(length); }

}  // namespace filch::testing
