// Moves the clock, ends tasks, and asks the scheduler for the next act of each free worker.
#include <filch/base/panic.hpp>
#include <filch/sim/scheduler.hpp>

#include <algorithm>
#include <deque>
#include <utility>

namespace filch::inline v0_2::sim {

namespace {

class engine {
 public:
  engine(const computation& what, std::uint32_t worker_count, std::uint64_t seed, scheduler& rules)
      : what_{what},
        rules_{rules},
        run_{what, worker_count, seed, rules.words()},
        agendas_(worker_count) {
    for (const task& each : what.tasks()) missing_.push_back(each.awaited);
  }

  history run() {
    agendas_.front().kept = 0;
    while (ended_count_ < what_.task_count()) {
      FILCH_ASSERT(run_.clock() < 1'000'000, "every computation ends", run_.clock(), ended_count_);
      while (let_everybody_act()) continue;
      run_.tick();
    }
    return run_.leave();
  }

 private:
  /// The state of a worker that the picture does not show.
  struct agenda {
    std::deque<task_id> to_place;  ///< Ready, and not yet in a queue.
    task_id kept = no_task;        ///< To be run after that.
  };

  bool let_everybody_act() {
    bool anything_happened = false;
    for (worker_index w = 0; w < run_.worker_count(); ++w) anything_happened |= act(w);
    return anything_happened && ended_count_ < what_.task_count();
  }

  bool act(worker_index w) {
    if (!run_.is_free(w)) return false;
    if (const task_id running = run_.shown().in_hand(w); running != no_task) return end(w, running);
    agenda& mine = agendas_[w];
    if (!mine.to_place.empty()) {
      if (!rules_.place_ready(run_, w, mine.to_place.front())) return false;
      mine.to_place.pop_front();
      return true;
    }
    if (mine.kept == no_task) return rules_.find_work(run_, w);
    run_.start(w, action::go_on, std::exchange(mine.kept, no_task));
    return true;
  }

  bool end(worker_index w, task_id ended) {
    run_.move(w, action::finish, activity::idle, ended, {place::kind::finished, w});
    ++ended_count_;
    std::vector<task_id> ready;
    for (const task_id child : what_[ended].children) add_if_ready(child, ready);
    if (what_[ended].next != no_task) add_if_ready(what_[ended].next, ready);
    agenda& mine = agendas_[w];
    mine.kept = rules_.keep(run_, w, ended, ready);
    mine.to_place.assign(ready.begin(), ready.end());
    return true;
  }

  void add_if_ready(task_id task, std::vector<task_id>& ready) {
    if (--missing_[task] == 0) ready.push_back(task);
  }

  const computation& what_;
  scheduler& rules_;
  sim_run run_;
  std::vector<agenda> agendas_;
  std::vector<std::uint32_t> missing_;  ///< How many tasks each still waits for.
  std::uint32_t ended_count_ = 0;
};

task_id take_out(std::vector<task_id>& tasks, std::vector<task_id>::iterator position) {
  const task_id taken = *position;
  tasks.erase(position);
  return taken;
}

}  // namespace

task_id scheduler::keep(sim_run& on, worker_index, task_id ended, std::vector<task_id>& ready) {
  if (ready.empty()) return no_task;
  const auto next = std::ranges::find(ready, on.program()[ended].next);
  return take_out(ready, next != ready.end() ? next : ready.begin());
}

bool scheduler::find_work(sim_run& on, worker_index worker) {
  const auto& mine = on.shown().queue_of(worker);
  if (mine.empty()) return wait(on, worker);
  on.start(worker, action::take, mine.front());
  return true;
}

bool scheduler::wait(sim_run& on, worker_index worker) {
  if (on.shown().activity_of(worker) == activity::waiting) return false;
  on.note(worker, action::wait, activity::waiting);
  return true;
}

history simulate(const computation& what, discipline which, std::uint32_t worker_count,
                 std::uint64_t seed) {
  FILCH_ASSERT(worker_count > 0, "somebody has to work", worker_count);
  const auto rules = make_scheduler(which, what, worker_count);
  return engine{what, worker_count, seed, *rules}.run();
}

}  // namespace filch::sim
