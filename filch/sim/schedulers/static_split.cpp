#include <filch/sim/schedulers/all.hpp>

#include <algorithm>

namespace filch::inline v0_2::sim {

namespace {

/// The plan says in advance which worker runs which task, so handing over costs nothing: each
/// worker looks into its own part of the plan.
class static_split final : public scheduler {
 public:
  static_split(const computation& what, std::uint32_t worker_count)
      : plan_{static_plan(what, worker_count)} {}

  vocabulary words() const override { return {.queue = "its own queue", .giving = "as planned"}; }

  task_id keep(sim_run&, worker_index worker, task_id, std::vector<task_id>& ready) override {
    const auto mine = std::ranges::find(ready, worker, [&](task_id each) { return plan_[each]; });
    if (mine == ready.end()) return no_task;
    const task_id kept = *mine;
    ready.erase(mine);
    return kept;
  }

  bool place_ready(sim_run& on, worker_index worker, task_id task) override {
    const place to{place::kind::queue, plan_[task]};
    if (to.worker == worker) {
      on.move(worker, action::push, activity::idle, task, to);
    } else {
      on.move(worker, action::give, activity::idle, task, to, to.worker);
    }
    return true;
  }

 private:
  std::vector<std::uint32_t> plan_;
};

}  // namespace

std::unique_ptr<scheduler> make_static_split(const computation& what, std::uint32_t worker_count) {
  return std::make_unique<static_split>(what, worker_count);
}

}  // namespace filch::sim
