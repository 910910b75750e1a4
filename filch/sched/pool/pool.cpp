#include <filch/sched/pool/pool.hpp>

#include <filch/base/thread.hpp>
#include <filch/sched/pool/pool_state.hpp>
#include <filch/sched/pool/registry.hpp>
#include <filch/topo/cpu_budget.hpp>

#include <algorithm>
#include <string>
#include <system_error>

namespace filch::inline v0_2 {
namespace {

// Less would not hold what filch itself needs
constexpr std::size_t least_stack = std::size_t{64} << 10;
constexpr std::size_t most_stack = std::size_t{1} << 36;
constexpr int most_nice = 39;  // from one end of the scale to the other

/// Whether a thread of this process may have that nice value. Tried on a new thread, as the caller
/// might not get its own value back.
bool may_be_nice(int wanted) {
  bool may = false;
  base::start_thread(0, [&] { may = base::set_nice(wanted); }).join();
  return may;
}

void check_threads(const pool_options& options) {
  if (options.stack_bytes != 0 &&
      (options.stack_bytes < least_stack || options.stack_bytes > most_stack)) {
    throw std::invalid_argument("filch: pool_options::stack_bytes is " +
                                std::to_string(options.stack_bytes) + "; it must be between " +
                                std::to_string(least_stack) + " and " + std::to_string(most_stack) +
                                " (0 takes the system's default)");
  }
  if (options.nice < -most_nice || options.nice > most_nice) {
    throw std::invalid_argument(
        "filch: pool_options::nice is " + std::to_string(options.nice) +
        "; it is added to the nice value of the calling thread, so it must be between -39 and 39");
  }
  if (options.nice < 0 && base::current_simulation() == nullptr &&
      !may_be_nice(base::current_nice() + options.nice)) {
    throw std::system_error(std::make_error_code(std::errc::permission_denied),
                            "filch: pool_options::nice is " + std::to_string(options.nice) +
                                ", and the system does not let this process raise priorities (see "
                                "ulimit -e and CAP_SYS_NICE)");
  }
}

void check_workers(const pool_options& options) {
  if (options.workers > topo::max_workers) {
    throw std::invalid_argument(
        "filch: pool_options::workers is " + std::to_string(options.workers) + "; at most " +
        std::to_string(topo::max_workers) + " make sense (0 takes what the CPU budget allows)");
  }
  if (options.max_workers != 0 && options.workers > options.max_workers) {
    throw std::invalid_argument("filch: pool_options::workers is " +
                                std::to_string(options.workers) + ", but max_workers is " +
                                std::to_string(options.max_workers) +
                                "; leave workers out to take what the CPU budget allows, up to "
                                "max_workers");
  }
}

/// Zero for a pool that follows the CPU budget.
unsigned slot_count_for(const pool_options& options) {
  check_workers(options);
  if (options.max_spares > sched::most_spares) {
    throw std::invalid_argument("filch: pool_options::max_spares is " +
                                std::to_string(options.max_spares) + "; at most " +
                                std::to_string(sched::most_spares) + " are possible");
  }
  check_threads(options);
  if (options.workers != 0) return options.workers;
  const base::simulation* const sim = base::current_simulation();
  const unsigned asked =
      sim != nullptr ? sim->cpu_count : topo::workers_from_environment().value_or(0);
  return options.max_workers == 0 ? asked : std::min(asked, options.max_workers);
}

}  // namespace

thread_pool::thread_pool(pool_options options) {
  auto made = std::make_unique<sched::pool_state>(options, slot_count_for(options));
  core_ = made.get();
  state().show(*this);
  pool_registry::add(*this);  // may throw
  made.release();
}

thread_pool::~thread_pool() {
  if (sched::blocking_region::is_inside(*core_)) {
    pool_registry::remove(*this);
    state().show(state().lasting());
    core_->admits().request_stop();  // its threads live on: this job is one of theirs
    return;
  }
  state().finish_and_join();
  pool_registry::remove(*this);
  delete &state();
}

sched::pool_state& thread_pool::state() const noexcept { return sched::pool_state::of(*core_); }

void thread_pool::require_running() const {
  // Running jobs may finish, and need their forks for that: also forks inside `blocking`, which
  // come back here.
  if (core_->admits().refuses_outsiders() && !sched::blocking_region::is_inside(*core_))
    throw pool_stopped();
}

stop_report thread_pool::stop_by(std::uint64_t deadline_ns, std::uint64_t grace_ns) {
  if (const bool is_own_job = sched::blocking_region::is_inside(*core_); is_own_job) {
    throw std::logic_error(
        "filch: thread_pool::stop was called by one of the pool's own jobs; it would wait for "
        "itself");
  }
  return state().stop(deadline_ns, grace_ns);
}

void thread_pool::submit_job(sched::detached_job* job) { core_->submit(job); }
void thread_pool::warm_up() { core_->threads().warm_up(); }
void thread_pool::request_stop() noexcept { core_->admits().request_stop(); }
unsigned thread_pool::concurrency() const noexcept { return core_->parking().allowed_count(); }
unsigned thread_pool::worker_capacity() const noexcept { return core_->threads().capacity(); }
metrics_snapshot thread_pool::metrics() const { return state().metrics(); }

thread_pool& default_pool() { return pool_registry::default_pool(); }
void configure_default_pool(const pool_options& options) {
  pool_registry::configure_default_pool(options);
}

thread_pool& pool_here() {
  thread_pool* const here = this_pool();
  return here != nullptr ? *here : default_pool();
}

thread_pool* this_pool() noexcept {
  const sched::pool_stack* const here = sched::blocking_region::nearest();
  return here == nullptr ? nullptr : &sched::pool_state::of(here->core).shown();
}

thread_pool& sched::lasting_pool_here() {
  const pool_stack* const here = blocking_region::nearest();
  return pool_state::of(here == nullptr ? default_pool().core() : here->core).lasting();
}

void sched::report_escaped(scheduler& core, std::exception_ptr escaped) noexcept {
  handle_escaped(core.options.on_escaped_exception, std::move(escaped));
}

}  // namespace filch
