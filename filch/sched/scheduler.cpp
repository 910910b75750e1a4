#include <filch/sched/scheduler.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/base/membarrier.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/external_scope.hpp>
#include <filch/sched/read_metrics.hpp>
#include <filch/sched/roots.hpp>
#include <filch/sched/strands.hpp>
#include <filch/topo/affinity.hpp>
#include <filch/topo/machine.hpp>
#include <filch/topo/placement.hpp>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace filch::sched {
namespace {

// External threads that compute, wait or block in the pool at a time. Each has an index in tables
// of the size of `worker_capacity`; further ones run alone.
constexpr unsigned most_external = 1024;
/// Threads beyond those that compute and block, so that one sleeps as the driver.
constexpr unsigned minders = 1;

// The slots of a pool that follows the budget: quotas change, but CPUs outside the affinity mask
// stay outside.
unsigned cpus_at_most() {
  const topo::budget now = topo::read_budget();
  unsigned most = now.workers;
  for (const topo::cpu_limit& limit : now.limits) {
    if (limit.kind == topo::limit_kind::affinity) most = std::max(most, limit.workers);
  }
  return std::min(most, topo::max_workers);
}

pool_options with_name(pool_options options, const char* thread_name) {
  options.thread_name = thread_name;
  return options;
}

}  // namespace

scheduler::scheduler(const pool_options& wanted, unsigned slots)
    : parking{*this, slots == 0 ? cpus_at_most() : slots},
      thread_name_{wanted.thread_name == nullptr ? "" : wanted.thread_name},
      options{with_name(wanted, thread_name_.c_str())},
      lasting{*this},
      asked_count_{slots},
      slot_count_{parking.allowed_count()},
      capacity_{slot_count_ + wanted.max_spares + minders + most_external},
      table_{std::make_unique<base::atomic<worker*>[]>(capacity_)},
      wanted_{slot_count_ > 1},
      closing_{!base::has_asymmetric_fence()},
      monitor_{*this, slots == 0 && slot_count_ > 1 && base::current_simulation() == nullptr},
      attributes_{wanted.stack_bytes,
                  wanted.block_signals ? base::all_signals() : base::blocked_signals()},
      nice_{wanted.nice == 0 ? 0 : base::current_nice() + wanted.nice},
      started_ns_{base::now_ns()},
      started_ticks_{base::ticks()} {
  parking.make_room(capacity_);
  if (slots == 0) {
    budget_ = std::make_unique<topo::budget_watch>();
    parking.allow(budget_->current().workers);
  }
  if (wanted.pin != pinning::none && base::current_simulation() == nullptr) {
    const topo::machine ours = topo::read_machine().only(topo::current_affinity());
    cpus_ = topo::placement(ours, wanted.pin, slot_count_);
    maker_ = topo::current_thread();
    neighbours_ = {ours, cpus_};
  }
}

void scheduler::review_budget() noexcept {
  constexpr std::uint64_t second_us = 1'000'000;
  const std::uint64_t now = base::ticks();
  if (now - reviewed_ticks_.load(base::relaxed) < second_us * base::ticks_per_us() ||
      !budget_lock_.try_lock())
    return;
  reviewed_ticks_.store(now, base::relaxed);
  // Over less than some microseconds the measurement is useless.
  const std::uint64_t age_us = (base::now_ns() - started_ns_) / 1000;
  if (age_us >= 10)
    ticks_per_us_.store(std::max<std::uint64_t>((now - started_ticks_) / age_us, 1), base::relaxed);
  unsigned allowed = parking.allowed_count();
  FILCH_TRY {
    if (budget_ != nullptr && budget_->refresh()) allowed = budget_->current().workers;
  }
  FILCH_CATCH_ALL {}  // no memory to read the files with: the budget stays what it was
  budget_lock_.unlock();
  const unsigned before = parking.allowed_count();
  if (allowed == before) return;
  parking.allow(allowed);
  if (allowed > before) offer_slot(nullptr);
}

void scheduler::prepare_thread(const worker& thread) const noexcept {
  if (base::current_simulation() != nullptr) return;
  if (!thread_name_.empty()) base::name_thread(thread_name_.c_str(), thread.index);
  if (options.nice != 0) base::set_nice(nice_);  // the constructor of the pool has seen that it may
  pin(thread);
}

// The user may have narrowed the process's affinity since the pool began: the mask of the thread
// that made the pool shows that.
void scheduler::pin(const worker& thread) const noexcept {
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

void scheduler::throw_no_spare() const {
  throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                          "filch: all " + std::to_string(slot_count_) + " workers and " +
                              std::to_string(options.max_spares) +
                              " spares (pool_options::max_spares) are in use");
}

scheduler::~scheduler() {
  for (unsigned i = 0; i < worker_count(); ++i) {
    delete &at(i);
  }
}

// -------------------------------------------------------------------------------------------------
// workers
worker* scheduler::create_worker() {
  const unsigned index = created_.load(base::relaxed);
  FILCH_ASSERT(index < capacity_, "more workers than the table has room for", index, capacity_);
  auto* const made = new worker(*this, index);
  table_[index].store(made, base::release<edge::enlist>);
  created_.store(index + 1, base::release<edge::enlist>);
  parking.note_use(*made);
  return made;
}

worker* scheduler::enter() {
  worker* place = parking.enter();
  if (place == nullptr) [[unlikely]] {
    place = make_place();
    if (place == nullptr) return nullptr;
    place->claim.is_external = true;
    parking.acquire(place->claim);
  }
  note_use();
  if (is_wanted()) place->request_work();
  place->recorded.sit_down();
  place->count(event::kind::visit);
  place->change(event::activity::working);
  return place;
}

worker* scheduler::make_place() {
  base::lock_guard guard{life_};
  const unsigned external_count = worker_count() - thread_count_.load(base::relaxed);
  return external_count < most_external && worker_count() < capacity_ ? create_worker() : nullptr;
}

void scheduler::leave(worker& visitor) noexcept {
  visitor.change(event::activity::away);
  parking.leave(visitor);
  // If others compute and no worker searches, their next forks must not stay private: a slot is
  // free for them.
  const auto seen = parking.idle().peek();
  if (seen.searching == 0 && seen.free_slots != 0 && parking.is_in_use(seen)) offer_slot(nullptr);
}

void scheduler::start_thread(slot* slot_to_search) {
  start_one_of(slot_count_ + options.max_spares, slot_to_search);
}

void scheduler::start_one_of(unsigned most, slot* slot_to_search) {
  base::lock_guard guard{life_};
  if (thread_count_.load(base::relaxed) >= most) throw_no_spare();
  worker* made = parking.take_place();
  if (made == nullptr && worker_count() == capacity_) throw_no_spare();
  if (made == nullptr) made = create_worker();
  made->claim.granted = slot_to_search;
  FILCH_TRY {
    threads_.reserve(threads_.size() + 1);
    threads_.push_back(base::start_thread(
        made->index, [made] { made->serve(); }, "worker", attributes_));
  }
  FILCH_CATCH_ALL {
    made->claim.granted = nullptr;
    parking.return_place(*made);
    FILCH_RETHROW;
  }
  thread_count_.fetch_add(1, base::relaxed);
}

bool scheduler::try_start_thread(slot* slot_to_search) noexcept {
  FILCH_TRY {
    start_thread(slot_to_search);
    return true;
  }
  FILCH_CATCH_ALL { return false; }
}

bool scheduler::try_start_driver() noexcept {
  FILCH_TRY {
    start_one_of(slot_count_ + options.max_spares + minders, nullptr);
    return true;
  }
  FILCH_CATCH_ALL { return false; }
}

void scheduler::insist_on_a_thread() noexcept {
  while (thread_count_.load(base::relaxed) == 0 && !try_start_thread(nullptr))
    base::nap_thread(std::chrono::milliseconds(1));
}

// -------------------------------------------------------------------------------------------------
// detached jobs
namespace {

void tell_of_submission() noexcept {
  if (current_observer != nullptr) return current_observer->submit();
  if (root_watcher* const watching = who_watches_roots()) watching->submit();
}

}  // namespace

void scheduler::submit(detached_job* job) {
  FILCH_TRY { admit(); }
  FILCH_CATCH_ALL {
    job->finish(job, detached_job::fate::discard);
    FILCH_RETHROW;
  }
  submit_always(job);
}

void scheduler::admit() {
  if (admits_at_once()) [[likely]]
    return;
  if (takes_nothing_from_outside() && (is_stopped() || !blocking_region::is_inside(*this)))
    throw pool_stopped();
  tell_of_submission();
  if (thread_count_.load(base::relaxed) == 0) [[unlikely]]
    start_first_thread();
}

// A pool without threads may never get one; then the job must not wait for it. With one thread the
// job will run, however late.
void scheduler::start_first_thread() {
  FILCH_TRY { start_thread(nullptr); }
  FILCH_CATCH_ALL {
    // Otherwise another thread's start succeeded meanwhile
    if (thread_count_.load(base::relaxed) == 0) FILCH_RETHROW;
  }
}

void scheduler::enqueue(detached_job* job, worker* here) noexcept {
  here != nullptr ? enqueue_by(*here, job) : enqueue_slowly(job, nullptr);
}

void scheduler::enqueue_slowly(detached_job* job, worker* here) noexcept {
  if (here != nullptr && here->keep_next(job)) return;
  if (here == nullptr || job->urgency != priority::normal || !here->push_ready(job)) {
    injectors_.push(*job);
  } else {
    here->count(event::kind::job_queued);
    if (slot_count_ == 1) return;
    if (here->takes_arrivals()) return parking.job_published_to_poller(here);
  }
  parking.job_published(here);
}

void scheduler::look_whether_all_have_ended(const worker* here) noexcept {
  if (!leaves_jobs(here) && have_all_jobs_ended()) drained_.unpark();
}

// After its turn. The thread that ends a job seen here has its own turn later, and adds up: an
// earlier turn would have shown the job as taken. So a pool that ends with many jobs in its queues
// does not add up after each of them.
bool scheduler::leaves_jobs(const worker* here) const noexcept {
  return has_injected() || (here != nullptr && here->claim.granted->ready.size_hint() != 0);
}

bool scheduler::have_all_jobs_ended() const noexcept {
  return have_all_ended([this](auto add) { for_each_job_count(add); });
}

void handle_escaped(escaped_exception_handler handler, std::exception_ptr escaped) noexcept {
  if (!is_outside()) current_worker().count(event::kind::exception_escaped);
  if (handler != nullptr) return handler(std::move(escaped));
  if (base::simulation* const stage = base::current_simulation()) return stage->lose(escaped);
  base::last_words(
      "an exception escaped from a submitted job; set pool_options::on_escaped_exception to handle "
      "it");
  std::rethrow_exception(std::move(escaped));
}

// -------------------------------------------------------------------------------------------------
// work
void scheduler::attach(external_source& added) {
  FILCH_ASSERT(source() == nullptr, "a pool sleeps in one external source; join several in one",
               source());
  if (thread_count_.load(base::relaxed) == 0) start_thread(nullptr);
  source_.store(&added, base::release<edge::enlist>);
  parking.wake_one(nullptr);  // workers that are parked now do not know the source
  parking.ensure_driver();
}

scheduler::attachment& scheduler::attachment_made_by(
    std::unique_ptr<attachment> (*make)(const scheduler&)) {
  base::lock_guard guard{life_};
  if (attachment_ == nullptr) attachment_ = make(*this);
  return *attachment_;
}

bool scheduler::poll_source(external_source::look why) noexcept {
  external_source* const from = source();
  return from != nullptr && from->poll(why);
}

// Tickets of task groups may be left in a pool that never got a thread; their jobs have run, so
// this only frees them.
void scheduler::run_leftovers() noexcept {
  if (thread_count_.load(base::relaxed) != 0) return;
  const auto finish = [this](detached_job* left) {
    const bool ends_later = left->ends_later;
    left->finish(left, detached_job::fate::run);
    if (!ends_later) detached_finished();
  };
  for (const priority each : {priority::high, priority::normal, priority::background}) {
    while (detached_job* const left = take_injected(each)) finish(left);
  }
  for (slot& each : parking.all_slots()) {
    while (const auto left = each.ready.pop()) finish(*left);
  }
}

// -------------------------------------------------------------------------------------------------
// timers
pool_monitor* scheduler::timekeeper() noexcept {
  return slot_count_ == 1 && base::current_simulation() == nullptr ? &monitor_ : nullptr;
}

timer_queue& scheduler::timers_here() noexcept {
  worker* const here = worker_here();
  return (here != nullptr && here->has_queues() ? *here->claim.granted
                                                : parking.all_slots().front())
      .timers;
}

// In a pool of one slot, its holder looks for timers before it parks, or they are found when it
// gives the slot away (`parking_lot::put_back`): such a pool has no driver's slot.
void scheduler::timer_added(std::uint64_t due_ns) noexcept {
  if (!uses_timers()) uses_timers_.store(true, base::relaxed);
  worker* const here = worker_here();
  if (slot_count_ != 1 || here == nullptr || !here->has_queues())
    parking.ensure_timer_driver(due_ns, here);
}

std::uint64_t scheduler::first_timer_ns() const noexcept {
  std::uint64_t first = timer::never;
  if (!uses_timers()) return first;
  for (const slot& each : parking.all_slots()) first = std::min(first, each.timers.first_ns());
  return first;
}

timer* scheduler::take_due_timer(std::uint64_t now_ns) noexcept {
  slot* earliest = nullptr;
  for (slot& each : parking.all_slots()) {
    if (earliest == nullptr || each.timers.first_ns() < earliest->timers.first_ns())
      earliest = &each;
  }
  return earliest->timers.first_ns() > now_ns ? nullptr : earliest->timers.take_due(now_ns);
}

bool scheduler::detached_waits(const slot* but_in) const noexcept {
  if (has_injected() || parking.timer_lacks_driver()) return true;
  for (const slot& each : parking.all_slots()) {
    if (&each != but_in && each.ready.size_hint() != 0) return true;
  }
  return false;
}

bool scheduler::work_visible() const noexcept {
  if (detached_waits()) return true;
  for (unsigned i = 0; i < parking.worker_bound(); ++i) {
    if (!at(i).peek().is_empty()) return true;
  }
  return false;
}

// In this order: a fork that becomes public between the two looks is seen. A fork that is taken
// back between them is in its owner's hands.
bool scheduler::forks_wait() const noexcept {
  for (unsigned i = 0; i < parking.worker_bound(); ++i) {
    if (at(i).has_private() || !at(i).peek().is_empty()) return true;
  }
  return false;
}

void scheduler::request_from_all() noexcept {
  set_wanted(true);
  for (unsigned i = 0; i < parking.worker_bound(); ++i) {
    at(i).request_work();
  }
}

void scheduler::offer_slot(worker* giver, std::uint32_t held, const slot* but_in) noexcept {
  if (detached_waits(but_in) || forks_wait() || parking.source_lacks_poller()) {
    parking.wake_one(giver);
    return;
  }
  request_from_all();
  // A worker that forked between the look and the request has not noticed the request, and may
  // never pause again. The fence makes its stores visible. If no other thread holds a slot there is
  // no such fork, and a thread that takes a slot now sees that work is wanted.
  if (parking.idle().look_after_publish().free_slots + held >= parking.allowed_count() &&
      !parking.works_beside())
    return;
  if (base::has_asymmetric_fence()) base::heavy_fence();
  if (forks_wait()) parking.wake_one(giver);
}

// -------------------------------------------------------------------------------------------------
// life
void scheduler::warm_up() {
  while (thread_count_.load(base::relaxed) < slot_count_) {
    FILCH_TRY { start_thread(nullptr); }
    FILCH_CATCH_ALL {
      // Otherwise a thread was started on demand meanwhile
      if (thread_count_.load(base::relaxed) < slot_count_) FILCH_RETHROW;
    }
  }
  while (begun_count() < slot_count_) base::nap_thread(std::chrono::microseconds(50));
}

std::uint64_t scheduler::begun_count() const noexcept {
  std::uint64_t count = 0;
  for (unsigned i = 0; i < worker_count(); ++i)
    count += at(i).counters.count(event::kind::thread_started);
  return count;
}

void scheduler::finish_and_join() noexcept {
  run_leftovers();
  constexpr std::uint64_t patience_ns = 5'000'000'000;
  if (base::current_simulation() == nullptr && !await_jobs(base::now_ns() + patience_ns))
    tell_what_is_awaited();
  await_jobs(timer::never);
  while (kept_alive_.load(base::acquire<edge::last_user>) != 0)
    base::nap_thread(std::chrono::microseconds(10));
  monitor_.end();
  parking.shut_down();
  // A thread may still be starting another one for a slot it took before the end.
  for (std::vector<base::thread> ending = take_threads(); !ending.empty();
       ending = take_threads()) {
    for (base::thread& each : ending) {
      each.join();
    }
  }
  if (external_source* const from = source()) from->left_alone();
}

std::vector<base::thread> scheduler::take_threads() noexcept {
  base::lock_guard guard{life_};
  return std::exchange(threads_, {});
}

namespace {

/// One value for the whole process, once the clocks have run for a moment. If it were measured anew
/// each time, sums of ticks that stand still would go back.
double seconds_per_tick(std::uint64_t elapsed_ns, std::uint64_t elapsed_ticks) noexcept {
  constexpr std::uint64_t moment_ns = 1'000'000;  // by when 50 ns between the two looks are nothing
  static base::atomic<double> known{0};
  double seen = known.load(base::relaxed);  // relaxed: a number alone
  if (seen != 0) return seen;
  const double measured =
      1e-9 * static_cast<double>(elapsed_ns + 1) / static_cast<double>(elapsed_ticks + 1);
  if (elapsed_ns < moment_ns) return measured;
  return known.compare_exchange(seen, measured, base::relaxed) ? measured : seen;
}

}  // namespace

metrics_snapshot scheduler::metrics() const {
  metrics_snapshot snapshot;
  base::lock_guard guard{telling_};  // first: a later call must read later values
  snapshot.pool = number;
  snapshot.slot_count = slot_count_;
  snapshot.starvations = starvations_.load(base::relaxed);
  for (const slot& each : parking.all_slots()) snapshot.ready_jobs += each.ready.size_hint();
  const std::uint64_t now = base::ticks();
  const double factor = seconds_per_tick(base::now_ns() - started_ns_, now - started_ticks_);
  for (unsigned i = 0; i < worker_count(); ++i) {
    snapshot.workers.push_back(read_metrics(at(i).counters.read(), now, factor));
  }
  keep_growing(snapshot, told_);
  told_ = snapshot;
  return snapshot;
}

}  // namespace filch::sched
