#include <filch/base/panic.hpp>
#include <filch/sim/sim_run.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::sim {

sim_run::sim_run(const computation& what, std::uint32_t worker_count, std::uint64_t seed,
                 vocabulary words)
    : program_{what},
      words_{words},
      shown_{what.task_count(), worker_count},
      random_{seed},
      free_at_(worker_count, 0) {
  record_.busy_ticks.assign(worker_count, 0);
}

step& sim_run::append(worker_index worker, action what, activity now, task_id task,
                      worker_index other) {
  step& made = record_.steps.emplace_back();
  made.clock = clock_;
  made.worker = worker;
  made.what = what;
  made.task = task;
  made.other = other;
  made.sentence = sentence_of(made, program_, words_);
  also(worker, now);
  return made;
}

void sim_run::also(worker_index worker, activity now) {
  const activity before = shown_.activity_of(worker);
  if (before == now) return;
  record_.steps.back().changes.push_back({worker, before, now});
  shown_.forward(record_.steps.back().changes.back());
}

void sim_run::note(worker_index worker, action what, activity now, task_id task,
                   worker_index other) {
  append(worker, what, now, task, other);
}

void sim_run::move(worker_index worker, action what, activity now, task_id task, place to,
                   worker_index other) {
  const place from = shown_.where(task);
  const auto& source = shown_.at(from);
  const auto from_index =
      static_cast<std::uint32_t>(std::ranges::find(source, task) - source.begin());
  const auto to_index = static_cast<std::uint32_t>(shown_.at(to).size());
  step& made = append(worker, what, now, task, other);
  made.move = task_move{task, from, from_index, to, to_index};
  shown_.forward(*made.move);
  if (what == action::finish) record_.makespan = clock_;
}

void sim_run::start(worker_index worker, action what, task_id task, worker_index other) {
  FILCH_ASSERT(shown_.in_hand(worker) == no_task, "a worker runs one task at a time", worker, task);
  move(worker, what, activity::running, task, {place::kind::hand, worker}, other);
  record_.busy_ticks[worker] += program_[task].ticks;
  occupy(worker, program_[task].ticks);
}

history sim_run::leave() { return std::exchange(record_, {}); }

}  // namespace filch::sim
