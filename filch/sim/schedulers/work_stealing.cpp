// The decisions are those of the runtime, filch/policy: which victim to try, how long to search,
// which worker to wake.
#include <filch/base/panic.hpp>
#include <filch/policy/stealing.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sim/schedulers/all.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::sim {

namespace {

/// The cost of a steal in `policy` is one shared access here, so its microseconds become ticks.
constexpr std::uint64_t ticks_of(std::uint64_t us) {
  return us * shared_access_ticks / (policy::cost::steal_fork / 1000);
}
constexpr std::uint64_t wake_ticks = ticks_of(policy::thief_tuning::worthwhile_us);

class work_stealing final : public scheduler {
 public:
  work_stealing(std::uint32_t worker_count, stolen_side side)
      : thieves_(worker_count), side_{side} {}

  vocabulary words() const override { return {.queue = "its own deque"}; }

  task_id keep(sim_run& on, worker_index worker, task_id ended,
               std::vector<task_id>& ready) override;
  bool place_ready(sim_run& on, worker_index worker, task_id task) override;
  bool find_work(sim_run& on, worker_index worker) override;

 private:
  struct thief {
    policy::thief_tuning tuning;
    std::uint32_t last_victim = policy::nobody;  ///< The worker that had a task at the last look.
    task_id wanted = no_task;                    ///< The task that a steal under way will claim.
    std::uint64_t searching_since = 0;
    task_id join = no_task;  ///< The join at which this worker waits for others.
    bool join_is_ready = false;
  };

  static task_id keep_child(std::vector<task_id>& ready);
  bool claim(sim_run& on, worker_index worker);
  bool look_around(sim_run& on, worker_index worker);
  bool wait_for_join(sim_run& on, worker_index worker);
  bool fall_asleep(sim_run& on, worker_index worker);
  std::uint32_t look_for_victim(sim_run& on, worker_index worker);
  void wake_somebody(sim_run& on, worker_index worker);
  std::uint32_t how_many(const sim_run& on, activity what) const;

  std::vector<thief> thieves_;
  stolen_side side_;
};

/// If children are stolen, a join belongs to the frame that reached it, so its own worker goes on.
/// If continuations are stolen, the worker that arrives last goes on.
task_id work_stealing::keep(sim_run& on, worker_index worker, task_id ended,
                            std::vector<task_id>& ready) {
  const task_id next = on.program()[ended].next;
  if (side_ == stolen_side::continuation) return keep_child(ready);
  if (next == no_task || !on.program()[next].is_join())
    return scheduler::keep(on, worker, ended, ready);
  const bool reached_by_frame = on.program()[next].parent == ended;
  if (reached_by_frame && ready.empty()) thieves_[worker].join = next;
  if (reached_by_frame || ready.empty()) return scheduler::keep(on, worker, ended, ready);
  for (thief& each : thieves_) each.join_is_ready |= each.join == next;
  ready.clear();
  return no_task;
}

/// Children come first in `ready`, and what follows them in the same function last.
task_id work_stealing::keep_child(std::vector<task_id>& ready) {
  if (ready.empty()) return no_task;
  const task_id child = ready.front();
  ready.erase(ready.begin());
  return child;
}

bool work_stealing::place_ready(sim_run& on, worker_index worker, task_id task) {
  on.move(worker, action::push, activity::idle, task, {place::kind::queue, worker});
  wake_somebody(on, worker);
  return true;
}

bool work_stealing::find_work(sim_run& on, worker_index worker) {
  const activity now = on.shown().activity_of(worker);
  if (thieves_[worker].wanted != no_task) return claim(on, worker);
  if (const auto& mine = on.shown().queue_of(worker); !mine.empty()) {
    on.start(worker, action::pop, mine.back());
    return true;
  }
  if (thieves_[worker].join != no_task) return wait_for_join(on, worker);
  if (now == activity::parked) return false;
  if (now == activity::waking) {
    on.note(worker, action::wake_up, activity::idle);
    return true;
  }
  return look_around(on, worker);
}

/// The end of a steal: a compare-and-swap, which fails if the task that was seen has gone
/// meanwhile.
bool work_stealing::claim(sim_run& on, worker_index worker) {
  thief& me = thieves_[worker];
  const task_id wanted = std::exchange(me.wanted, no_task);
  const auto& there = on.shown().queue_of(me.last_victim);
  if (!there.empty() && there.front() == wanted) {
    me.tuning.found_work();
    on.start(worker, action::steal_win, wanted, me.last_victim);
    if (!there.empty()) wake_somebody(on, worker);  // there is more, and this one looks no longer
  } else {
    me.tuning.came_too_late();
    on.note(worker, action::steal_lose, activity::idle, wanted, me.last_victim);
  }
  return true;
}

/// A look is free, and what it finds is recorded once. A steal takes time.
bool work_stealing::look_around(sim_run& on, worker_index worker) {
  thief& me = thieves_[worker];
  me.last_victim = look_for_victim(on, worker);
  if (me.last_victim != policy::nobody) {
    me.wanted = on.shown().queue_of(me.last_victim).front();
    on.note(worker, action::steal_try, activity::stealing, me.wanted, me.last_victim);
    on.occupy(worker, shared_access_ticks);
    return true;
  }
  if (on.shown().activity_of(worker) == activity::searching) return fall_asleep(on, worker);
  me.searching_since = on.clock();
  on.note(worker, action::find_nothing, activity::searching);
  return true;
}

std::uint32_t work_stealing::look_for_victim(sim_run& on, worker_index worker) {
  const std::uint64_t random = on.draw();
  const std::uint32_t stride = policy::round_stride(random, on.worker_count());
  std::uint32_t victim =
      policy::first_victim(random, on.worker_count(), thieves_[worker].last_victim);
  for (std::uint32_t i = 0; i < on.worker_count();
       ++i, victim = (victim + stride) % on.worker_count()) {
    if (victim != worker && !on.shown().queue_of(victim).empty()) return victim;
  }
  return policy::nobody;
}

bool work_stealing::fall_asleep(sim_run& on, worker_index worker) {
  thief& me = thieves_[worker];
  if (on.clock() - me.searching_since < ticks_of(me.tuning.search_us())) return false;
  me.tuning.searched_in_vain();
  on.note(worker, action::park, activity::parked);
  return true;
}

bool work_stealing::wait_for_join(sim_run& on, worker_index worker) {
  thief& me = thieves_[worker];
  if (me.join_is_ready) {
    me.join_is_ready = false;
    on.start(worker, action::go_on, std::exchange(me.join, no_task));
    return true;
  }
  if (on.shown().activity_of(worker) == activity::joining) return false;
  on.note(worker, action::wait_at_join, activity::joining, me.join);
  return true;
}

void work_stealing::wake_somebody(sim_run& on, worker_index worker) {
  const policy::idle_view idle{
      .searching = how_many(on, activity::searching) + how_many(on, activity::waking),
      .free_slots = how_many(on, activity::parked)};
  if (!policy::wakes_somebody(idle)) return;
  worker_index sleeper = 0;
  while (on.shown().activity_of(sleeper) != activity::parked) ++sleeper;
  on.note(worker, action::wake, on.shown().activity_of(worker), no_task, sleeper);
  on.also(sleeper, activity::waking);
  on.occupy(sleeper, wake_ticks);
}

std::uint32_t work_stealing::how_many(const sim_run& on, activity what) const {
  std::uint32_t count = 0;
  for (worker_index w = 0; w < on.worker_count(); ++w) count += on.shown().activity_of(w) == what;
  return count;
}

}  // namespace

std::unique_ptr<scheduler> make_work_stealing(std::uint32_t worker_count, stolen_side side) {
  return std::make_unique<work_stealing>(worker_count, side);
}

}  // namespace filch::sim
