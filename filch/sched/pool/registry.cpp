#include <filch/sched/pool/registry.hpp>

#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/stay_loaded.hpp>
#include <filch/sched/edges.hpp>
#include <filch/sched/pool/pool_state.hpp>
#include <filch/trace/session.hpp>

#include <pthread.h>

#include <cstddef>
#include <cstdlib>
#include <stdexcept>

namespace filch::inline v0_2 {
namespace {

// Never destroyed: pools with static storage unregister themselves in any order at exit.
struct registry_state {
  base::mutex lock;
  std::vector<thread_pool*> pools FILCH_GUARDED_BY(lock);
};

registry_state& state() {
  static auto* const one = new registry_state;
  return *one;
}

// Never destroyed either.
constinit base::mutex making_default;
// Writers: under the lock. Readers: all.
constinit base::atomic<thread_pool*> the_default{nullptr};

// Whether a submitted job is queued. A ticket of a task group is none: what it was for has run, as
// the group was waited for. All are taken out to see that, and put into the injectors.
bool loses_jobs(sched::scheduler& of) noexcept {
  bool loses = false;
  const auto look_at = [&](sched::detached_job& queued) {
    loses = loses || !queued.finds_its_job;
    of.injected().push(queued);
  };
  for (const priority each : {priority::high, priority::normal, priority::background}) {
    for (std::size_t left = of.injected().size_hint(); left > 0; --left) {
      if (sched::detached_job* const oldest = of.injected().take(each)) look_at(*oldest);
    }
  }
  for (sched::slot& each : of.parking().all_slots()) {
    while (each.has_jobs()) {
      if (const auto stolen = each.ready.steal()) look_at(*stolen.item);
    }
  }
  if (loses) of.parking().job_published(nullptr);
  return loses;
}

void tell_of_lost_jobs() noexcept {
  // Relaxed: the thread that ends the process has seen it, or need not
  if (loses_jobs(the_default.load(base::relaxed)->core()))
    base::last_words(
        "the program ends, and jobs that were submitted to the default pool have not begun: they "
        "are lost. Wait for them, by a "
        "task_group or a spawned task, or end main by filch::default_pool().stop(...).");
}
void make_default(thread_pool* pool) noexcept FILCH_REQUIRES(making_default) {
  the_default.store(pool, base::release<sched::edge::enlist>);
  static_cast<void>(std::atexit(&tell_of_lost_jobs));
}

}  // namespace

void pool_registry::add(thread_pool& pool) {
  base::stay_loaded();
  static const int hooked = ::pthread_atfork(before_fork, in_parent, in_child);
  (void)hooked;
  trace::begin_as_environment_says();
  registry_state& all = state();
  base::lock_guard guard{all.lock};
  all.pools.push_back(&pool);
}

void pool_registry::remove(thread_pool& pool) noexcept {
  registry_state& all = state();
  base::lock_guard guard{all.lock};
  std::erase(all.pools, &pool);
}

thread_pool& pool_registry::default_pool() {
  if (const base::simulation* const sim = base::current_simulation())
    return *static_cast<thread_pool*>(sim->default_pool);
  if (thread_pool* const made = the_default.load(base::acquire<sched::edge::enlist>)) [[likely]]
    return *made;
  base::lock_guard guard{making_default};
  if (the_default.load(base::relaxed) == nullptr) make_default(new thread_pool);
  return *the_default.load(base::relaxed);
}

void pool_registry::configure_default_pool(const pool_options& options) {
  base::lock_guard guard{making_default};
  if (the_default.load(base::relaxed) != nullptr)
    throw std::logic_error(
        "filch: configure_default_pool comes too late: the default pool has been made, by itself "
        "at its first use; call it once, "
        "at the start of main");
  make_default(new thread_pool(options));
}

std::vector<metrics_snapshot> pool_registry::metrics() {
  registry_state& all = state();
  base::lock_guard guard{all.lock};
  std::vector<metrics_snapshot> read;
  for (const thread_pool* const pool : all.pools) read.push_back(pool->metrics());
  return read;
}

void pool_registry::before_fork() noexcept { state().lock.lock(); }
void pool_registry::in_parent() noexcept { state().lock.unlock(); }

// The child has this thread alone. The state that other threads of each pool left, locks included,
// is unknowable. So each pool gets a fresh `pool_state`, and the old one is left as it is: a few
// kilobytes and some address space.
void pool_registry::in_child() noexcept {
  for (thread_pool* const pool : state().pools) {
    if (sched::external_source* const from = pool->core_->parking().source()) from->left_alone();
    pool->core_ = new sched::pool_state(pool->core_->options, pool->state().asked_count());
    pool->state().show(*pool);
  }
  sched::blocking_region::forget_all();
  state().lock.unlock();
}

}  // namespace filch
