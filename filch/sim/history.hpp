#pragma once
#include <filch/sim/picture.hpp>

#include <optional>
#include <string>

namespace filch::inline v0_2::sim {

enum class action : std::uint8_t {
  push,
  pop,
  give,
  take,
  go_on,
  finish,
  steal_try,
  steal_win,
  steal_lose,
  find_nothing,
  stand_in_line,
  lock,
  wait,
  wait_at_join,
  park,
  wake,
  wake_up,
};
inline constexpr std::size_t action_count = static_cast<std::size_t>(action::wake_up) + 1;

constexpr std::string_view name_of(action what) noexcept {
  constexpr std::array<std::string_view, action_count> names = {
      "push",      "pop",          "give",       "take",         "go_on",         "finish",
      "steal_try", "steal_win",    "steal_lose", "find_nothing", "stand_in_line", "lock",
      "wait",      "wait_at_join", "park",       "wake",         "wake_up"};
  return names[static_cast<std::size_t>(what)];
}

/// One act of one worker, with all changes that it made in the picture.
struct step {
  std::uint64_t clock = 0;
  worker_index worker = 0;
  action what = action::push;
  task_id task = no_task;          ///< The task concerned, if any.
  worker_index other = no_worker;  ///< The victim, the receiver of the task, or the woken worker.
  std::string sentence;            ///< The same for people.
  std::optional<task_move> move;
  std::vector<activity_change> changes;
};

void forward(picture& shown, const step& each);
void back(picture& shown, const step& each);

/// The run of one computation under one scheduler.
struct history {
  std::uint64_t makespan = 0;             ///< The clock when the last task ended.
  std::vector<std::uint64_t> busy_ticks;  ///< Spent in tasks, by worker.
  std::vector<step> steps;

  /// The share of the workers' time, until the end, in which they ran no task.
  double idle_share() const;
  std::uint64_t count(action what) const;
};

}  // namespace filch::sim
