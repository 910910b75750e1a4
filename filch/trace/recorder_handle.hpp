#pragma once
#include <filch/event/counters.hpp>
#include <filch/trace/ring_writer.hpp>

namespace filch::inline v0_2::trace {

/// Makes the joins of a worker take the slow path, which sees that jobs are recorded. Threads: any.
struct join_pause {
  void (*pause)(void* worker) noexcept;
  void (*resume)(void* worker) noexcept;
  void* worker;
};

/// The recorder handle of one worker: whether recording is on, and what a recording that begins
/// must know of the worker.
///
/// Threads: built and destroyed by the thread that creates and destroys the worker; the rest is for
/// the worker's own thread.
/// Lifetime: ends when the worker's threads have ended.
class recorder_handle {
 public:
  /// `pool` as `next_pool` gave it.
  recorder_handle(const event::counters& worker, std::uint32_t pool, std::uint32_t index,
                  std::uint32_t slot_count, join_pause joins);
  ~recorder_handle();
  recorder_handle(const recorder_handle&) = delete;
  recorder_handle& operator=(const recorder_handle&) = delete;

  /// Where to write; null while recording is off. The deterministic scheduler records nothing, so
  /// that recording does not change its schedules.
  ring_writer* get() const noexcept {
    if constexpr (base::can_simulate) return nullptr;
    return switch_.get();
  }
  /// The same if every job is to be recorded, else null.
  ring_writer* get_for_jobs() const noexcept {
    ring_writer* const here = get();
    return here != nullptr && here->tells_jobs() ? here : nullptr;
  }
  /// The calling thread is the worker from now on.
  void adopt_thread() noexcept;
  /// The activity of a worker, and the slot that it holds or `event::record::nobody`.
  struct state {
    event::activity doing = event::activity::away;
    std::uint16_t slot = event::record::nobody;

    constexpr std::uint32_t pack() const noexcept {
      return static_cast<std::uint32_t>(doing) << 16 | slot;
    }
    static constexpr state unpack(std::uint32_t packed) noexcept {
      return {static_cast<event::activity>(packed >> 16), static_cast<std::uint16_t>(packed)};
    }
  };
  /// Sets the state. In one word, so that a recording that begins finds both parts as of the same
  /// moment.
  void change(state now) noexcept {
    if constexpr (!base::can_simulate) state_.store(now.pack(), base::relaxed);
  }
  state now() const noexcept { return state::unpack(state_.load(base::relaxed)); }

  /// A number for a new pool, from 1 on.
  static std::uint32_t next_pool() noexcept;

 private:
  const event::counters& worker_;
  const row_owner owner_;
  const std::uint32_t slot_count_;
  const join_pause joins_;
  basic_switch<base::real_sync, ring_writer> switch_;
  /// Writer: the worker. Reader: the recorder, when it begins.
  base::atomic<std::uint32_t> state_{state{}.pack()};
  base::atomic<std::int64_t> thread_{0};  ///< The same.
  ring_writer* writer_ =
      nullptr;  ///< Given to it at the first recording. Guarded by the recorder's lock.
  recorder_handle* next_ = nullptr;  ///< Of all. Guarded by the recorder's lock.
  friend class recorder;
};

}  // namespace filch::trace
