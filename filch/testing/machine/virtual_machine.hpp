#pragma once
#include <filch/base/parker.hpp>
#include <filch/base/simulation.hpp>
#include <filch/testing/host_threads.hpp>
#include <filch/testing/machine/coherence.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace filch::inline v0_2::testing {

/// What the cores of a virtual machine did between two moments.
struct machine_times {
  picoseconds length = 0;   ///< Of the interval, on the virtual clock.
  picoseconds running = 0;  ///< Time that cores spent with a thread, summed.
  picoseconds spent = 0;    ///< Of this, by `testing::spend`.
  picoseconds waited = 0;   ///< Of this, waiting for cache lines.
  picoseconds paused = 0;   ///< Of this, in `cpu_relax` and `yield_thread`.
  std::uint64_t accesses = 0;

  machine_times operator-(const machine_times& begin) const noexcept;
};

/// Executes a program on a machine with many cores, one core at a time, on a virtual clock.
///
/// Each core has a clock of its own. The core that is furthest behind goes on. It hands over when
/// it is `slack` ahead of the next one, or touches a line that moved between cores a moment ago.
/// Source: Miller et al., "Graphite: A Distributed Parallel Simulator for Multicores", HPCA 2010
///         (lax synchronisation). We differ: accesses to contended lines are in order.
class virtual_machine final : public base::simulation {
 public:
  virtual_machine(host_threads& threads, const machine& of, unsigned workers,
                  std::uint64_t run_seed);
  ~virtual_machine();

  /// Runs `body` on core 0 and returns when all its threads have ended, or none can go on.
  void run(const std::function<void()>& body);
  /// Empty if the run went well.
  const std::string& failure() const noexcept { return failure_; }
  bool leaves_threads() const noexcept { return alive_ != 0; }

  /// Called by the body: what happened so far.
  machine_times times() noexcept;
  coherence& caches() noexcept { return caches_; }

  void spend(std::uint64_t nanoseconds) noexcept override;
  void touch(const void* data, std::size_t bytes, base::effect does,
             base::place where) noexcept override;
  void pause() noexcept override;
  bool wait(const void* address, std::uint64_t nanoseconds) noexcept override;
  void wake_one(const void* address) noexcept override;
  void step_aside() noexcept override {}
  std::uint64_t now_ns() noexcept override;
  sim_thread* start(const char* role, unsigned number, void (*entry)(void*), void* self) override;
  void join(sim_thread& ending) noexcept override;
  void note(const char*, const char*) noexcept override {}
  void locked(const void*) noexcept override {}
  void unlocked(const void*) noexcept override {}
  const base::waiting_for* explain(const base::waiting_for* why) noexcept override;
  [[noreturn]] void fail(const char* message) noexcept override;
  void lose(const std::exception_ptr&) noexcept override {}
  void last_words() noexcept override {}

 private:
  struct thread;
  struct core {
    unsigned number = 0;
    picoseconds clock = 0;
    picoseconds slice_end = 0;
    picoseconds owes = 0;        ///< For interrupts since it last went on.
    picoseconds running = 0;     ///< Time with a thread, up to `since`.
    picoseconds since = 0;       ///< When its thread came to it.
    thread* runs = nullptr;      ///< Null: idle.
    std::deque<thread*> queued;  ///< Threads that wait for the core.
  };
  /// A core that is behind another one comes first.
  struct turn {
    picoseconds clock;
    unsigned number;
    bool operator>(const turn& other) const noexcept {
      return clock != other.clock ? clock > other.clock : number > other.number;
    }
  };
  struct alarm {
    picoseconds at;
    unsigned number;  ///< Of the thread, so that equal times have an order.
    auto operator<=>(const alarm&) const = default;
  };

  void decide(base::access made, base::place where) noexcept override;
  line& in_order(const void* word);
  void wait_for(line& to, picoseconds until, const char* what, base::place where);
  void interrupt_others() noexcept;
  thread& add_thread(std::string name, void (*entry)(void*), void* self);
  static void run_thread(void* self);
  void end(thread& over) noexcept;
  void hand_over() noexcept;
  bool next_turn();
  void preempt_if_due(core& on);
  void leave_core();
  void put_on(core& on, thread& next, picoseconds at);
  void make_ready(thread& woken, picoseconds at, bool timed_out);
  core& core_for(const thread& woken);
  thread* take_queued(core& idle);
  [[noreturn]] void stop_here(thread& me, std::string failure) noexcept;
  std::string who_waits() const;

  host_threads& host_threads_;
  const machine machine_;
  coherence caches_;
  std::vector<core> cores_;
  std::vector<std::unique_ptr<thread>> threads_;
  std::priority_queue<turn, std::vector<turn>, std::greater<>> turns_;
  std::set<alarm> alarms_;
  std::unordered_map<const void*, std::deque<thread*>> sleepers_;
  core* now_ = nullptr;    ///< The core that has the turn.
  picoseconds limit_ = 0;  ///< The time of the next turn of another core.
  unsigned alive_ = 0;
  machine_times so_far_;
  std::string failure_;
  base::parker finished_;
};

}  // namespace filch::testing
