#include <filch/sim/schedulers/all.hpp>

namespace filch::inline v0_2::sim {

namespace {

class work_sharing final : public scheduler {
 public:
  vocabulary words() const override {
    return {.queue = "its own queue", .giving = "whose queue is shortest"};
  }

  bool place_ready(sim_run& on, worker_index worker, task_id task) override {
    const worker_index receiver = least_loaded(on, worker);
    if (receiver == worker) {
      on.move(worker, action::push, activity::idle, task, {place::kind::queue, worker});
    } else {
      on.move(worker, action::give, activity::accessing, task, {place::kind::queue, receiver},
              receiver);
      on.occupy(worker, shared_access_ticks);
    }
    return true;
  }

 private:
  /// The worker itself if no other has less, else the first one after it of those that have least.
  /// It counts as busy: it goes on with a task as soon as it has placed the rest.
  static worker_index least_loaded(const sim_run& on, worker_index worker) {
    const auto load = [&](worker_index w) {
      const bool is_busy = w == worker || on.shown().in_hand(w) != no_task;
      return on.shown().queue_of(w).size() + (is_busy ? 1 : 0);
    };
    worker_index best = worker;
    for (std::uint32_t distance = 1; distance < on.worker_count(); ++distance) {
      const worker_index candidate = (worker + distance) % on.worker_count();
      if (load(candidate) < load(best)) best = candidate;
    }
    return best;
  }
};

}  // namespace

std::unique_ptr<scheduler> make_work_sharing() { return std::make_unique<work_sharing>(); }

}  // namespace filch::sim
