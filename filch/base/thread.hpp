#pragma once
#include <filch/base/simulation.hpp>

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::base {

/// The attributes with which a thread begins.
struct thread_attributes {
  std::size_t stack_bytes = 0;  ///< 0: the system's default.
  /// Signals that it does not handle. Nothing: inherited from its creator.
  std::optional<sigset_t> blocked = {};
};

/// A thread of the system, like `std::thread`, which has no attributes.
class native_thread {
 public:
  native_thread() noexcept = default;
  /// Runs `run(self)`. Throws: `std::system_error` that names the thread and its number, if the
  /// system refuses one.
  FILCH_EXPORT native_thread(unsigned number, const thread_attributes& with, void* (*run)(void*),
                             void* self);
  native_thread(native_thread&& other) noexcept
      : id_{other.id_}, is_joinable_{std::exchange(other.is_joinable_, false)} {}
  native_thread& operator=(native_thread&& other) noexcept {
    if (is_joinable_) std::terminate();
    id_ = other.id_;
    is_joinable_ = std::exchange(other.is_joinable_, false);
    return *this;
  }
  ~native_thread() {
    if (is_joinable_) std::terminate();
  }

  bool joinable() const noexcept { return is_joinable_; }
  void join() {
    is_joinable_ = false;
    ::pthread_join(id_, nullptr);
  }
  void detach() {
    is_joinable_ = false;
    ::pthread_detach(id_);
  }

 private:
  pthread_t id_{};
  bool is_joinable_ = false;
};

/// A thread of the system, or of the simulation that runs the thread which started it.
class simulated_thread {
 public:
  simulated_thread() noexcept = default;
  explicit simulated_thread(native_thread real) noexcept : real_{std::move(real)} {}
  explicit simulated_thread(simulation::sim_thread& started) noexcept : sim_thread_{&started} {}
  simulated_thread(simulated_thread&& other) noexcept
      : real_{std::move(other.real_)}, sim_thread_{std::exchange(other.sim_thread_, nullptr)} {}
  simulated_thread& operator=(simulated_thread&& other) noexcept {
    real_ = std::move(other.real_);
    sim_thread_ = std::exchange(other.sim_thread_, nullptr);
    return *this;
  }

  bool joinable() const noexcept { return sim_thread_ != nullptr || real_.joinable(); }
  void join() {
    sim_thread_ != nullptr ? current_simulation()->join(*std::exchange(sim_thread_, nullptr))
                           : real_.join();
  }
  /// A simulated thread needs no detaching: its simulation outlives it.
  void detach() {
    if (std::exchange(sim_thread_, nullptr) == nullptr) real_.detach();
  }

 private:
  native_thread real_;
  simulation::sim_thread* sim_thread_ = nullptr;
};

using thread = std::conditional_t<can_simulate, simulated_thread, native_thread>;

/// Starts `body`, which must not throw, on a new operating-system thread.
/// Throws: `std::system_error` that names the thread and its number, if the system refuses one.
template <class Body>
thread start_thread(unsigned number, Body&& body, const char* role = "worker",
                    const thread_attributes& with = {});

/// The signals that the calling thread blocks.
sigset_t blocked_signals() noexcept;
/// All signals except those of faults and of profilers' timers.
sigset_t all_signals() noexcept;
/// Names the calling thread `prefix`-`number`, on systems that name threads; cut to the system's
/// limit.
void name_thread(const char* prefix, unsigned number) noexcept;
/// The nice value of the calling thread. Only Linux has one for threads: elsewhere 0, and false.
int current_nice() noexcept;
bool set_nice(int wanted) noexcept;

/// Yields the processor for a moment, so that a preempted thread may run.
inline void yield_thread() noexcept {
  if (simulation* const sim = current_simulation()) return sim->pause();
  std::this_thread::yield();
}
/// Sleeps without being woken, for waits so rare that no thread sends a wake.
inline void nap_thread(std::chrono::nanoseconds length) {
  if (simulation* const sim = current_simulation()) {
    const waiting_for why{"the end of a nap"};
    sim->wait(nullptr, length.count() > 0 ? static_cast<std::uint64_t>(length.count()) : 0);
    return;
  }
  std::this_thread::sleep_for(length);
}

/// How long the kernel lets a thread run before others get their turn. A thread with short time
/// slices runs sooner after it wakes.
enum class turn_length : unsigned char { usual, shortest };

/// Sets the time slices of the calling thread, if the kernel supports it (Linux from 6.12). With
/// short ones its sleeps end on time, not up to 50 us later. Costs some system calls if they
/// change. `usual` restores those that it had. Threads inherit time slices, so `start_thread`
/// restores the usual ones.
FILCH_EXPORT void take_turns_of(turn_length wanted) noexcept;

/// Whether `object` lies on the stack that the system gave the calling thread. Cost: up to about
/// 100 us on the main thread.
bool is_on_this_stack(const void* object) noexcept;

/// How long the calling thread has run on a processor. Exact to this moment, unlike /proc for a
/// running thread.
std::uint64_t own_cpu_ns() noexcept;

[[noreturn]] void throw_thread_refused(unsigned number, std::error_code reason);

/// What a new thread runs.
template <class Held>
void run_held(void* self) {
  (*std::unique_ptr<Held>(static_cast<Held*>(self)))();
}

template <class Body>
thread start_thread(unsigned number, Body&& body, const char* role, const thread_attributes& with) {
  take_turns_of(turn_length::usual);
  using held = std::decay_t<Body>;
  auto copy = std::make_unique<held>(std::forward<Body>(body));
  if constexpr (can_simulate) {
    if (simulation* const sim = current_simulation()) {
      simulation::sim_thread* const made = sim->start(role, number, &run_held<held>, copy.get());
      if (made == nullptr)
        throw_thread_refused(number,
                             std::make_error_code(std::errc::resource_unavailable_try_again));
      copy.release();
      // A type that depends on `Body`, because the thread of the shipped library has no such
      // constructor.
      return std::conditional_t<std::is_void_v<held>, void, thread>(*made);
    }
  }
  const auto run = [](void* self) -> void* {
    run_held<held>(self);
    return nullptr;
  };
  native_thread started(number, with, run, copy.get());
  copy.release();
  return thread(std::move(started));
}

}  // namespace filch::base
