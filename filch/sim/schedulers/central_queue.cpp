#include <filch/sim/schedulers/all.hpp>

#include <algorithm>
#include <deque>

namespace filch::inline v0_2::sim {

namespace {

/// A lock that is granted in the order of arrival and held for the time of one access.
class lock_line {
 public:
  /// Whether `worker` has the lock from now on, for one access; else it stands in line.
  bool enter(sim_run& on, worker_index worker) {
    const bool is_my_turn = line_.empty() || line_.front() == worker;
    if (is_my_turn && on.clock() >= free_at_) {
      leave(worker);
      free_at_ = on.clock() + shared_access_ticks;
      on.occupy(worker, shared_access_ticks);
      return true;
    }
    if (std::ranges::find(line_, worker) == line_.end()) {
      line_.push_back(worker);
      on.note(worker, action::stand_in_line, activity::in_line);
    }
    return false;
  }
  void leave(worker_index worker) { std::erase(line_, worker); }

 private:
  std::deque<worker_index> line_;
  std::uint64_t free_at_ = 0;
};

class central_queue final : public scheduler {
 public:
  vocabulary words() const override { return {.queue = "the shared queue"}; }

  bool place_ready(sim_run& on, worker_index worker, task_id task) override {
    if (!lock_.enter(on, worker)) return false;
    on.move(worker, action::push, activity::accessing, task, {place::kind::shared});
    return true;
  }

  bool find_work(sim_run& on, worker_index worker) override {
    const auto& waiting = on.shown().at({place::kind::shared});
    if (taker_ == worker) {
      taker_ = no_worker;
      on.start(worker, action::take, waiting.front());
      return true;
    }
    // Whether there is anything to take can be seen without the lock.
    const std::size_t promised = taker_ == no_worker ? 0 : 1;
    if (waiting.size() <= promised) {
      lock_.leave(worker);
      return wait(on, worker);
    }
    if (!lock_.enter(on, worker)) return false;
    taker_ = worker;
    on.note(worker, action::lock, activity::accessing);
    return true;
  }

 private:
  lock_line lock_;
  worker_index taker_ = no_worker;  ///< The worker that holds the lock in order to take.
};

}  // namespace

std::unique_ptr<scheduler> make_central_queue() { return std::make_unique<central_queue>(); }

}  // namespace filch::sim
