#pragma once
#include <filch/base/simulation.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace filch::base {

/// A thread of the system, or of the simulation whose thread started it.
class simulated_thread {
 public:
  simulated_thread() noexcept = default;
  explicit simulated_thread(std::thread real) noexcept : real_{std::move(real)} {}
  explicit simulated_thread(simulation::actor& played) noexcept : played_{&played} {}
  simulated_thread(simulated_thread&& other) noexcept
      : real_{std::move(other.real_)}, played_{std::exchange(other.played_, nullptr)} {}
  simulated_thread& operator=(simulated_thread&& other) noexcept {
    real_ = std::move(other.real_);
    played_ = std::exchange(other.played_, nullptr);
    return *this;
  }

  bool joinable() const noexcept { return played_ != nullptr || real_.joinable(); }
  void join() { played_ != nullptr ? current_simulation()->join(*std::exchange(played_, nullptr)) : real_.join(); }
  /// A simulated thread needs no detaching: its simulation outlives it.
  void detach() {
    if (std::exchange(played_, nullptr) == nullptr) real_.detach();
  }

 private:
  std::thread real_;
  simulation::actor* played_ = nullptr;
};

using thread = std::conditional_t<can_simulate, simulated_thread, std::thread>;

/// Starts `body`, which must not throw, on a new operating-system thread.
/// Throws: `std::system_error` that names the thread and its number, when the system refuses one.
template <class Body>
thread start_thread(unsigned number, Body&& body, const char* role = "worker");

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

/// How long the kernel lets a thread run before others get their turn. Who asks for short turns comes on sooner when it wakes up.
enum class turn_length : unsigned char { usual, shortest };

/// From now on the calling thread takes such turns, where the kernel knows of them (Linux from 6.12), and with short ones its sleeps end when they should,
/// not up to 50 us later. Some system calls where that differs from before. The usual ones are those that it had; threads inherit them, so `start_thread` takes those.
void take_turns_of(turn_length wanted) noexcept;

/// For how long the calling thread has been on a processor. Unlike what /proc says of a thread that runs, exact to this moment.
std::uint64_t own_cpu_ns() noexcept;

[[noreturn]] void throw_thread_refused(unsigned number, const std::system_error& reason);

/// `start_thread` where a simulation plays the thread.
template <class Body>
thread start_simulated(simulation& stage, const char* role, unsigned number, Body&& body) {
  using held = std::decay_t<Body>;
  auto copy = std::make_unique<held>(std::forward<Body>(body));
  const auto run = [](void* self) { (*std::unique_ptr<held>(static_cast<held*>(self)))(); };
  simulation::actor* const played = stage.start(role, number, run, copy.get());
  if (played == nullptr) {
    throw_thread_refused(number, std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)));
  }
  copy.release();
  return thread(*played);
}

template <class Body>
thread start_thread(unsigned number, Body&& body, const char* role) {
  take_turns_of(turn_length::usual);
  if constexpr (can_simulate) {
    if (simulation* const stage = current_simulation()) return start_simulated(*stage, role, number, std::forward<Body>(body));
  }
#if defined(__cpp_exceptions)
  try {
    return thread(std::thread(std::forward<Body>(body)));
  } catch (const std::system_error& refused) {
    throw_thread_refused(number, refused);
  }
#else
  (void)number;
  return thread(std::thread(std::forward<Body>(body)));
#endif
}

}  // namespace filch::base
