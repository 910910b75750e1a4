#pragma once
#include <filch/sim/sim_run.hpp>

#include <memory>
#include <span>

namespace filch::inline v0_2::sim {

/// The ticks of everything that two workers compete for: a steal, an access to a shared queue, a
/// task handed over. All schedulers pay the same.
inline constexpr std::uint64_t shared_access_ticks = 1;

/// Decides which worker runs which task. The engine asks it whenever a worker is free.
class scheduler {
 public:
  virtual ~scheduler() = default;
  virtual vocabulary words() const = 0;
  /// `worker` has ended a task, and `ready` may run now. Returns the task that it goes on with at
  /// once, if any, and leaves in `ready` those to be placed. As `join(a, b)` does, it goes on in
  /// the same function, else with the first child.
  virtual task_id keep(sim_run& on, worker_index worker, task_id ended,
                       std::vector<task_id>& ready);
  /// `worker` puts `task` into a queue; false: it could not, and is asked again.
  virtual bool place_ready(sim_run& on, worker_index worker, task_id task) = 0;
  /// `worker` has nothing to do; false: nothing happened. This default is for workers that only get
  /// tasks from others: it takes the oldest from its own queue, or waits.
  virtual bool find_work(sim_run& on, worker_index worker);

 protected:
  /// False: it waits already.
  static bool wait(sim_run& on, worker_index worker);
};

enum class discipline : std::uint8_t {
  static_split,
  central_queue,
  work_sharing,
  work_stealing,
  continuation_stealing
};
inline constexpr std::size_t discipline_count = 5;

struct discipline_text {
  discipline which;
  std::string_view id;     ///< "central_queue"
  std::string_view title;  ///< "Central queue"
  std::string_view about;  ///< One sentence.
};
/// In the order of `discipline`.
std::span<const discipline_text, discipline_count> disciplines() noexcept;

std::unique_ptr<scheduler> make_scheduler(discipline which, const computation& what,
                                          std::uint32_t worker_count);

/// Runs `what` from its first task to its last. The same arguments give the same history on every
/// machine.
history simulate(const computation& what, discipline which, std::uint32_t worker_count,
                 std::uint64_t seed);

}  // namespace filch::sim
