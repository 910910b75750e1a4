#include <filch/sched/worker/thread_table.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/base/panic.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sched/worker/worker.hpp>
#include <filch/topo/machine.hpp>
#include <filch/topo/placement.hpp>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

namespace filch::inline v0_2::sched {
namespace {

// External threads that compute, wait or block in the pool at a time. Each has an index in tables
// of the size of `capacity`; further ones run alone.
constexpr unsigned most_external = 1024;
/// Threads beyond those that compute and block: one, so that a sleeper can be the driver.
constexpr unsigned drivers = 1;

}  // namespace

thread_table::thread_table(scheduler& of, const pool_options& options, unsigned slot_count)
    : of_{of},
      options_{options},
      slot_count_{slot_count},
      capacity_{slot_count + options.max_spares + drivers + most_external},
      table_{std::make_unique<base::atomic<worker*>[]>(capacity_)},
      attributes_{options.stack_bytes,
                  options.block_signals ? base::all_signals() : base::blocked_signals()},
      nice_{options.nice == 0 ? 0 : base::current_nice() + options.nice} {
  if (options.pin != pinning::none && base::current_simulation() == nullptr) {
    const topo::machine ours = topo::read_machine().only(topo::current_affinity());
    cpus_ = topo::placement(ours, options.pin, slot_count_);
    maker_ = topo::current_thread();
    neighbours_ = {ours, cpus_};
  }
}

thread_table::~thread_table() {
  for (unsigned i = 0; i < worker_count(); ++i) {
    delete &at(i);
  }
}

// -------------------------------------------------------------------------------------------------
// workers
worker* thread_table::create() {
  const unsigned index = created_.load(base::relaxed);
  FILCH_ASSERT(index < capacity_, "more workers than the table has room for", index, capacity_);
  auto* const made = new worker(of_, index);
  table_[index].store(made, base::release<edge::enlist>);
  created_.store(index + 1, base::release<edge::enlist>);
  of_.parking().add(made->waiter);
  return made;
}

worker* thread_table::add_external() {
  base::lock_guard guard{life_};
  const unsigned external_count = worker_count() - thread_count();
  return external_count < most_external && worker_count() < capacity_ ? create() : nullptr;
}

void thread_table::prepare(const worker& thread) const noexcept {
  if (base::current_simulation() != nullptr) return;
  if (*options_.thread_name != '\0') base::name_thread(options_.thread_name, thread.index);
  if (options_.nice != 0)
    base::set_nice(nice_);  // the constructor of the pool has seen that it may
  pin(thread);
}

// The user may have narrowed the process's affinity since the pool began: the mask of the thread
// that made the pool shows that.
void thread_table::pin(const worker& thread) const noexcept {
  if (cpus_.empty()) return;
  const unsigned cpu = cpus_[thread.index % cpus_.size()];
  std::vector<unsigned> allowed;
  FILCH_TRY { allowed = topo::affinity_of(maker_); }
  FILCH_CATCH_ALL {}  // that thread has ended
  const bool is_allowed = allowed.empty() || std::ranges::find(allowed, cpu) != allowed.end();
  FILCH_TRY { is_allowed ? topo::pin_current_thread(cpu) : topo::set_current_affinity(allowed); }
  // The CPU has gone offline since the pool began: running anywhere is better than not running
  FILCH_CATCH_ALL {}
}

// -------------------------------------------------------------------------------------------------
// threads
void thread_table::throw_no_spare() const {
  throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                          "filch: all " + std::to_string(slot_count_) + " workers and " +
                              std::to_string(options_.max_spares) +
                              " spares (pool_options::max_spares) are in use");
}

void thread_table::start(slot* to_search_with) {
  start_one_of(slot_count_ + options_.max_spares, to_search_with);
}

void thread_table::start_one_of(unsigned most, slot* to_search_with) {
  base::lock_guard guard{life_};
  if (thread_count() >= most) throw_no_spare();
  sleeper* const left = of_.parking().take_worker();
  if (left == nullptr && worker_count() == capacity_) throw_no_spare();
  worker* const made = left == nullptr ? create() : &at(left->index);
  made->waiter.granted = to_search_with;
  FILCH_TRY {
    threads_.reserve(threads_.size() + 1);
    threads_.push_back(base::start_thread(
        made->index, [made] { made->serve(); }, "worker", attributes_));
  }
  FILCH_CATCH_ALL {
    made->waiter.granted = nullptr;
    of_.parking().return_worker(made->waiter);
    FILCH_RETHROW;
  }
  thread_count_.fetch_add(1, base::relaxed);
}

bool thread_table::try_start(slot* to_search_with) noexcept {
  FILCH_TRY {
    start(to_search_with);
    return true;
  }
  FILCH_CATCH_ALL { return false; }
}

bool thread_table::try_start_driver() noexcept {
  FILCH_TRY {
    start_one_of(slot_count_ + options_.max_spares + drivers, nullptr);
    return true;
  }
  FILCH_CATCH_ALL { return false; }
}

void thread_table::start_first() {
  if (thread_count() != 0) return;
  FILCH_TRY { start(nullptr); }
  FILCH_CATCH_ALL {
    // Otherwise another thread's start succeeded meanwhile
    if (thread_count() == 0) FILCH_RETHROW;
  }
}

void thread_table::insist_on_one() noexcept {
  while (thread_count() == 0 && !try_start(nullptr)) base::nap_thread(std::chrono::milliseconds(1));
}

void thread_table::warm_up() {
  while (thread_count() < slot_count_) {
    FILCH_TRY { start(nullptr); }
    FILCH_CATCH_ALL {
      // Otherwise a thread was started on demand meanwhile
      if (thread_count() < slot_count_) FILCH_RETHROW;
    }
  }
  while (begun_count() < slot_count_) base::nap_thread(std::chrono::microseconds(50));
}

std::uint64_t thread_table::begun_count() const noexcept {
  std::uint64_t count = 0;
  for (unsigned i = 0; i < worker_count(); ++i)
    count += at(i).reports.counters.count(event::kind::thread_started);
  return count;
}

// A thread may still be starting another one for a slot it took before the end.
void thread_table::join_all() noexcept {
  for (std::vector<base::thread> ending = take_threads(); !ending.empty();
       ending = take_threads()) {
    for (base::thread& each : ending) {
      each.join();
    }
  }
}

std::vector<base::thread> thread_table::take_threads() noexcept {
  base::lock_guard guard{life_};
  return std::exchange(threads_, {});
}

}  // namespace filch::sched
