#include <filch/sched/registry.hpp>

#include <filch/base/mutex.hpp>
#include <filch/sched/core.hpp>
#include <filch/sched/steering.hpp>
#include <filch/trace/session.hpp>

#include <pthread.h>

namespace filch {
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

}  // namespace

void pool_registry::add(thread_pool& pool) {
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
  if (const base::simulation* const stage = base::current_simulation()) return *static_cast<thread_pool*>(stage->default_pool);
  static auto* const one = new thread_pool;
  return *one;
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

// The child has this thread alone. What the other threads of each pool held, locks included, is unknowable, so each pool
// gets a fresh core, and the old one is left as it is: a few kilobytes and some address space.
void pool_registry::in_child() noexcept {
  sched::steering::leave_thread();
  for (thread_pool* const pool : state().pools) {
    if (sched::external_source* const from = pool->core_->source()) from->left_alone();
    pool->core_ = new sched::pool_core(pool->core_->options, pool->core_->asked_count());
    pool->core_->show(*pool);
  }
  sched::slot_leave::forget_all();
  state().lock.unlock();
}

}  // namespace filch
