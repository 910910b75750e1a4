#pragma once
#include <filch/sim/computation.hpp>

#include <array>
#include <string_view>

namespace filch::inline v0_2::sim {

using worker_index = std::uint32_t;
inline constexpr worker_index no_worker = ~worker_index{0};

/// The visible activity of a worker.
enum class activity : std::uint8_t {
  idle,
  running,
  searching,
  stealing,
  accessing,
  in_line,
  joining,
  waiting,
  parked,
  waking
};
inline constexpr std::size_t activity_count = 10;

/// The word for it, which is also its name in JSON.
constexpr std::string_view name_of(activity what) noexcept {
  constexpr std::array<std::string_view, activity_count> names = {
      "idle",    "running", "searching", "stealing", "accessing",
      "in_line", "joining", "waiting",   "parked",   "waking"};
  return names[static_cast<std::size_t>(what)];
}

/// The place of a task: not ready yet, in the shared queue, or in a worker's queue, hand, or pile
/// of finished tasks.
struct place {
  enum class kind : std::uint8_t { unborn, shared, queue, hand, finished } what = kind::unborn;
  worker_index worker = 0;  ///< Of a queue, hand or pile.

  bool operator==(const place&) const = default;
};

/// One task goes from one place to another; in a queue index 0 is the oldest, the thieves' end.
struct task_move {
  task_id task;
  place from;
  std::uint32_t from_index;
  place to;
  std::uint32_t to_index;
};

struct activity_change {
  worker_index worker;
  activity before, after;
};

/// The visible state at one moment. It changes only by changes that can be undone, so a history can
/// be played in both directions.
class picture {
 public:
  picture(std::uint32_t task_count, std::uint32_t worker_count);

  const std::vector<task_id>& at(place where) const { return places_[slot_of(where)]; }
  const std::vector<task_id>& queue_of(worker_index worker) const {
    return at({place::kind::queue, worker});
  }
  place where(task_id task) const;
  /// What `worker` runs, or `no_task`.
  task_id in_hand(worker_index worker) const;
  activity activity_of(worker_index worker) const { return activities_[worker]; }
  std::uint32_t worker_count() const noexcept {
    return static_cast<std::uint32_t>(activities_.size());
  }

  void forward(const task_move& move) {
    carry(move.task, move.from, move.from_index, move.to, move.to_index);
  }
  void back(const task_move& move) {
    carry(move.task, move.to, move.to_index, move.from, move.from_index);
  }
  void forward(const activity_change& change) { activities_[change.worker] = change.after; }
  void back(const activity_change& change) { activities_[change.worker] = change.before; }

  bool operator==(const picture&) const = default;

 private:
  std::size_t slot_of(place where) const;
  void carry(task_id task, place from, std::uint32_t from_index, place to, std::uint32_t to_index);

  std::vector<std::vector<task_id>> places_;
  std::vector<activity> activities_;
};

}  // namespace filch::sim
