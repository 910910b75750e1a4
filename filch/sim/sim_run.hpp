#pragma once
#include <filch/base/rng.hpp>
#include <filch/sim/history.hpp>
#include <filch/sim/sentence.hpp>

namespace filch::inline v0_2::sim {

/// The simulation in which a scheduler acts: the clock, the picture, and the functions that change
/// it. Each change is recorded as a step.
///
/// Threads: none; the steps follow each other in an order that the seed decides.
class sim_run {
 public:
  sim_run(const computation& what, std::uint32_t worker_count, std::uint64_t seed,
          vocabulary words);

  const computation& program() const noexcept { return program_; }
  const picture& shown() const noexcept { return shown_; }
  std::uint32_t worker_count() const noexcept { return shown_.worker_count(); }
  std::uint64_t clock() const noexcept { return clock_; }
  std::uint64_t draw() noexcept { return random_(); }

  /// Records that `worker` did `what`, and its activity is `now` from here on.
  void note(worker_index worker, action what, activity now, task_id task = no_task,
            worker_index other = no_worker);
  /// The same, and `task` moved to the young end of `to`.
  void move(worker_index worker, action what, activity now, task_id task, place to,
            worker_index other = no_worker);
  /// The same, and `worker` has `task` in hand and runs it.
  void start(worker_index worker, action what, task_id task, worker_index other = no_worker);
  /// Adds to the last step that the activity of `worker` is `now`.
  void also(worker_index worker, activity now);
  /// Keeps `worker` busy for `ticks` from now on.
  void occupy(worker_index worker, std::uint64_t ticks) { free_at_[worker] = clock_ + ticks; }
  bool is_free(worker_index worker) const { return free_at_[worker] <= clock_; }

  void tick() noexcept { ++clock_; }
  /// Returns the recorded history; afterwards this is empty.
  history leave();

 private:
  step& append(worker_index worker, action what, activity now, task_id task, worker_index other);

  const computation& program_;
  vocabulary words_;
  picture shown_;
  base::split_mix64 random_;
  std::uint64_t clock_ = 0;
  std::vector<std::uint64_t> free_at_;
  history record_;
};

}  // namespace filch::sim
