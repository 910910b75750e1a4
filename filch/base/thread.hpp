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

namespace filch::base {

/// What a thread begins with.
struct thread_attributes {
  std::size_t stack_bytes = 0;  ///< 0: the system's default.
  /// Signals that it does not handle. Nothing: as who starts it.
  std::optional<sigset_t> blocked = {};
};

/// A thread of the system, as `std::thread`, which has no attributes.
class native_thread {
 public:
  native_thread() noexcept = default;
  /// Runs `run(self)`. Throws: `std::system_error` that names the thread and its number, when the
  /// system refuses one.
  native_thread(unsigned number, const thread_attributes& with, void* (*run)(void*), void* self);
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

/// A thread of the system, or of the simulation whose thread started it.
class simulated_thread {
 public:
  simulated_thread() noexcept = default;
  explicit simulated_thread(native_thread real) noexcept : real_{std::move(real)} {}
  explicit simulated_thread(simulation::actor& played) noexcept : played_{&played} {}
  simulated_thread(simulated_thread&& other) noexcept
      : real_{std::move(other.real_)}, played_{std::exchange(other.played_, nullptr)} {}
  simulated_thread& operator=(simulated_thread&& other) noexcept {
    real_ = std::move(other.real_);
    played_ = std::exchange(other.played_, nullptr);
    return *this;
  }

  bool joinable() const noexcept { return played_ != nullptr || real_.joinable(); }
  void join() {
    played_ != nullptr ? current_simulation()->join(*std::exchange(played_, nullptr))
                       : real_.join();
  }
  /// A simulated thread needs no detaching: its simulation outlives it.
  void detach() {
    if (std::exchange(played_, nullptr) == nullptr) real_.detach();
  }

 private:
  native_thread real_;
  simulation::actor* played_ = nullptr;
};

using thread = std::conditional_t<can_simulate, simulated_thread, native_thread>;

/// Starts `body`, which must not throw, on a new operating-system thread.
/// Throws: `std::system_error` that names the thread and its number, when the system refuses one.
template <class Body>
thread start_thread(unsigned number, Body&& body, const char* role = "worker",
                    const thread_attributes& with = {});

/// The signals that the calling thread does not handle.
sigset_t blocked_signals() noexcept;
/// All but those of faults and of the clocks that profilers set.
sigset_t all_signals() noexcept;
/// Names the calling thread `prefix`-`number`, where threads have names; cut to what the system
/// takes.
void name_thread(const char* prefix, unsigned number) noexcept;
/// The nice value of the calling thread. Elsewhere than on Linux threads have none: 0, and false.
int current_nice() noexcept;
bool set_nice(int wanted) noexcept;

/// Gives up the processor for a moment, so that a preempted thread may come on.
inline void yield_thread() noexcept {
  if (simulation* const stage = current_simulation()) return stage->pause();
  std::this_thread::yield();
}
/// Sleeps without being woken; for waits so rare that nobody sends a wake.
inline void nap_thread(std::chrono::nanoseconds length) {
  if (simulation* const stage = current_simulation()) {
    const waiting_for why{"the end of a nap"};
    stage->wait(nullptr, length.count() > 0 ? static_cast<std::uint64_t>(length.count()) : 0);
    return;
  }
  std::this_thread::sleep_for(length);
}

/// How long the kernel lets a thread run before others get their turn. Who asks for short turns
/// comes on sooner when it wakes up.
enum class turn_length : unsigned char { usual, shortest };

/// From now on the calling thread takes such turns, where the kernel knows of them (Linux from
/// 6.12), and with short ones its sleeps end when they should, not up to 50 us later. Some system
/// calls where that differs from before. The usual ones are those that it had; threads inherit
/// them, so `start_thread` takes those.
void take_turns_of(turn_length wanted) noexcept;

/// Whether `object` lies on the stack that the system gave the calling thread. Cost: up to some 100
/// us on the main thread.
bool is_on_this_stack(const void* object) noexcept;

/// For how long the calling thread has been on a processor. Unlike what /proc says of a thread that
/// runs, exact to this moment.
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
    if (simulation* const stage = current_simulation()) {
      simulation::actor* const played = stage->start(role, number, &run_held<held>, copy.get());
      if (played == nullptr)
        throw_thread_refused(number,
                             std::make_error_code(std::errc::resource_unavailable_try_again));
      copy.release();
      // A type that depends on `Body`, as the thread of the shipped library has no such
      // constructor.
      return std::conditional_t<std::is_void_v<held>, void, thread>(*played);
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
