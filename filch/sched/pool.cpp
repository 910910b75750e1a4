#include <filch/sched/pool.hpp>

#include <filch/sched/core.hpp>
#include <filch/sched/registry.hpp>
#include <filch/sched/stop.hpp>
#include <filch/topo/cpu_budget.hpp>

#include <string>

namespace filch {
namespace {

unsigned slot_count_for(const pool_options& options) {
  if (options.workers > topo::max_workers) {
    throw std::invalid_argument("filch: pool_options::workers is " + std::to_string(options.workers) + "; at most " +
                                std::to_string(topo::max_workers) + " make sense (0 takes what the CPU budget allows)");
  }
  if (options.max_spares > sched::most_spares) {
    throw std::invalid_argument("filch: pool_options::max_spares is " + std::to_string(options.max_spares) + "; at most " +
                                std::to_string(sched::most_spares) + " are possible");
  }
  if (options.workers != 0) return options.workers;
  if (const base::simulation* const stage = base::current_simulation()) return stage->cpu_count;
  return topo::workers_from_environment().value_or(0);
}

}  // namespace

thread_pool::thread_pool(pool_options options) {
  auto made = std::make_unique<sched::pool_core>(options, slot_count_for(options));
  core_ = made.get();
  core_->show(*this);
  pool_registry::add(*this);  // may throw
  made.release();
}

thread_pool::~thread_pool() {
  if (sched::slot_leave::is_inside(*core_)) {
    pool_registry::remove(*this);
    core_->show(core_->lasting.pool);
    core_->request_stop();  // its threads live on: this job is one of theirs
    return;
  }
  core_->finish_and_join();
  pool_registry::remove(*this);
  delete core_;
}

void thread_pool::require_running() const {
  // Jobs that run may finish, and that takes what they fork: also what they fork inside `blocking`, which comes back here.
  if (core_->takes_nothing_from_outside() && !sched::slot_leave::is_inside(*core_)) throw pool_stopped();
}

stop_report thread_pool::stop_by(std::uint64_t deadline_ns, std::uint64_t grace_ns) {
  if (const bool is_own_job = sched::slot_leave::is_inside(*core_); is_own_job) {
    throw std::logic_error("filch: thread_pool::stop was called by one of the pool's own jobs; it would wait for itself");
  }
  return core_->stop(deadline_ns, grace_ns);
}

void thread_pool::submit_job(sched::detached_job* job) { core_->submit(job); }
void thread_pool::warm_up() { core_->warm_up(); }
void thread_pool::request_stop() noexcept { core_->request_stop(); }
unsigned thread_pool::concurrency() const noexcept { return core_->crew.allowed_count(); }
unsigned thread_pool::worker_capacity() const noexcept { return core_->worker_capacity(); }
metrics_snapshot thread_pool::metrics() const { return core_->metrics(); }

thread_pool& default_pool() { return pool_registry::default_pool(); }

thread_pool& pool_here() {
  thread_pool* const here = this_pool();
  return here != nullptr ? *here : default_pool();
}

thread_pool* this_pool() noexcept {
  const sched::worker* const here = sched::slot_leave::nearest();
  return here == nullptr ? nullptr : &here->core.shown();
}

thread_pool& sched::lasting_pool_here() {
  const worker* const here = slot_leave::nearest();
  return (here == nullptr ? default_pool().core() : here->core).lasting.pool;
}

void sched::report_escaped(pool_core& core, std::exception_ptr escaped) noexcept { core.handle_escaped(std::move(escaped)); }

}  // namespace filch
