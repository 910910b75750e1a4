#pragma once
#include <filch/base/rng.hpp>
#include <filch/base/simulation.hpp>
#include <filch/testing/host_threads.hpp>
#include <filch/testing/options.hpp>
#include <filch/testing/schedule.hpp>
#include <filch/testing/suspended.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace filch::inline v0_2::testing {

/// A sim thread of a session.
class session_thread final : public base::simulation::sim_thread {
 public:
  enum class state : unsigned char { ready, waits, over };

  std::string name;
  unsigned number = 0;  ///< In the order in which they began.
  host_thread* host = nullptr;
  void (*run)(void* self) = nullptr;  ///< With `self`, the thread's own function.
  void* self = nullptr;
  state now = state::ready;
  const void* address = nullptr;  ///< Where it waits; null if it only sleeps for a time.
  std::uint64_t deadline_ns = base::simulation::no_deadline;
  bool timed_out = false;
  const base::waiting_for* why = nullptr;
  std::vector<const void*> locks;  ///< Those it holds.
  base::simulation* home = nullptr;
};

/// The place of a step that no line of the program under test takes.
extern const base::place no_place;

/// One run of a body under one seed. Its threads hand the turn to each other: exactly one runs, and
/// only that one touches the session. README.md, "A turn", is the argument.
class session final : public base::simulation {
 public:
  session(host_threads& threads, const options& wanted, std::uint64_t run_seed);
  ~session();

  /// Runs `body` on a host thread and returns when all threads have ended, or none can go on. Call
  /// once.
  void run(const std::function<void()>& body);

  bool failed() const noexcept { return !failure_.empty(); }
  const std::string& failure() const noexcept { return failure_; }
  /// Whether threads are left that will never end. They still read the session and their host
  /// threads, so both must live on.
  bool leaves_threads() const noexcept { return alive_ != 0; }
  std::uint64_t steps() const noexcept { return steps_; }
  std::uint64_t switches() const noexcept { return switches_; }
  std::string text() const;

  void spend(std::uint64_t nanoseconds) noexcept override { skipped_ns_ += nanoseconds; }
  void touch(const void*, std::size_t, base::effect, base::place) noexcept override {}
  void pause() noexcept override;
  bool wait(const void* address, std::uint64_t nanoseconds) noexcept override;
  void wake_one(const void* address) noexcept override;
  void step_aside() noexcept override;
  std::uint64_t now_ns() noexcept override;
  sim_thread* start(const char* role, unsigned number, void (*entry)(void*), void* self) override;
  void join(sim_thread& ending) noexcept override;
  void note(const char* name, const char* what) noexcept override;
  void locked(const void* lock) noexcept override;
  void unlocked(const void* lock) noexcept override;
  const base::waiting_for* explain(const base::waiting_for* why) noexcept override;
  [[noreturn]] void fail(const char* message) noexcept override;
  void lose(const std::exception_ptr& lost) noexcept override;
  void last_words() noexcept override;

  // Filled by `base/simulated_tasks.hpp`.
  suspended& tasks() noexcept { return tasks_; }
  unsigned running_thread() const noexcept { return running_->number; }

 private:
  void decide(base::access made, base::place where) noexcept override;
  session_thread& add_thread(std::string name, void (*entry)(void*), void* self);
  static void run_thread(void* self);
  void end(session_thread& over) noexcept;
  void hand_over(cause why, const char* what, base::place where) noexcept;
  session_thread& next_after(cause why);
  void settle_steps() noexcept;
  void arm() noexcept;
  void make_ready(session_thread& woken, bool timed_out) noexcept;
  void wake_all(const void* address) noexcept;
  void ring_alarms() noexcept;
  std::uint64_t next_alarm_ns() const noexcept;
  const session_thread* holder_of(const void* lock) const noexcept;
  std::vector<std::string> names() const;
  std::string words_of(const session_thread& waits, const std::vector<std::string>& threads);
  std::string who_waits();
  void stop_if_possible() noexcept;
  [[noreturn]] void stop_here(std::string failure) noexcept;
  [[noreturn]] void freeze() noexcept;

  host_threads& host_threads_;
  const options options_;
  base::split_mix64 random_;
  std::unique_ptr<chooser> chooser_;
  std::vector<std::unique_ptr<session_thread>> threads_;
  std::vector<unsigned> ready_;  ///< Of `hand_over`; a member to keep its memory.
  session_thread* running_ = nullptr;
  unsigned alive_ = 0;
  bool body_is_over_ = false;
  std::uint32_t armed_ = 0;       ///< The last value that `steps_left_` was set to.
  std::uint32_t slice_left_ = 0;  ///< Steps until `cause::preempted`.
  std::uint64_t steps_ = 0;       ///< Up to the last `settle_steps`.
  std::uint64_t switches_ = 0;
  std::uint64_t step_ns_ = 0;
  std::uint64_t skipped_ns_ = 0;  ///< The clock's advance beyond the steps.
  schedule schedule_;
  suspended tasks_;
  std::string failure_;
  /// Writer: the thread that has the turn. Reader: `run`, to see whether any thread still runs.
  base::atomic<std::uint64_t> beats_{0};
  base::parker finished_;
};

}  // namespace filch::testing
