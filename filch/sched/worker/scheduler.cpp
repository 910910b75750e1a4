#include <filch/sched/worker/scheduler.hpp>

#include <filch/base/panic.hpp>
#include <filch/sched/strands.hpp>
#include <filch/sched/worker/external_scope.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::sched {
namespace {

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
    : thread_name_{wanted.thread_name == nullptr ? "" : wanted.thread_name},
      options{with_name(wanted, thread_name_.c_str())},
      parking_{*this, slots == 0 ? cpus_at_most() : slots},
      threads_{*this, options, parking_.allowed_count()},
      budget_{slots == 0} {
  parking_.make_room(threads_.capacity());
  if (slots == 0) parking_.allow(budget_.allowed());
}

void scheduler::review_budget() noexcept {
  const unsigned allowed = budget_.review(clock_);
  const unsigned before = parking_.allowed_count();
  if (allowed == 0 || allowed == before) return;
  parking_.allow(allowed);
  if (allowed > before) demand_.offer_slot(nullptr);
}

// -------------------------------------------------------------------------------------------------
// external threads
worker* scheduler::enter() {
  sleeper* const left = parking_.enter();
  worker* const entered = left == nullptr ? threads_.add_external() : &threads_.at(left->index);
  if (entered == nullptr) return nullptr;
  if (left == nullptr) [[unlikely]] {
    entered->waiter.is_external = true;
    parking_.acquire(entered->waiter);
  }
  parking_.note_use();
  if (parking_.is_wanted()) entered->request_work();
  entered->reports.handle.adopt_thread();
  entered->reports.count(event::kind::visit);
  entered->reports.change(event::activity::working);
  return entered;
}

void scheduler::leave(worker& external) noexcept {
  external.reports.change(event::activity::away);
  parking_.leave(external.waiter);
  // If others compute and no worker searches, their next forks must not stay private: a slot is
  // free for them.
  const auto seen = parking_.idle().peek();
  if (seen.searching == 0 && seen.free_slots != 0 && parking_.is_in_use(seen))
    demand_.offer_slot(nullptr);
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
  if (admission_.refuses_outsiders() &&
      (admission_.is_stopped() || !blocking_region::is_inside(*this)))
    throw pool_stopped();
  tell_of_submission();
  threads_.start_first();
}

void scheduler::enqueue(detached_job* job, worker* here) noexcept {
  here != nullptr ? enqueue_by(*here, job) : enqueue_slowly(job, nullptr);
}

void scheduler::enqueue_slowly(detached_job* job, worker* here) noexcept {
  if (here != nullptr && here->next().keep(job)) return;
  sleeper* const by = here == nullptr ? nullptr : &here->waiter;
  if (here == nullptr || job->urgency != priority::normal || !here->push_ready(job)) {
    injected_.push(*job);
  } else {
    here->reports.count(event::kind::job_queued);
    if (threads_.slot_count() == 1) return;
    if (here->next().takes_arrivals()) return parking_.job_published_to_poller(by);
  }
  parking_.job_published(by);
}

void handle_escaped(escaped_exception_handler handler, std::exception_ptr escaped) noexcept {
  if (!is_outside()) current_worker().reports.count(event::kind::exception_escaped);
  if (handler != nullptr) return handler(std::move(escaped));
  if (base::simulation* const sim = base::current_simulation()) return sim->lose(escaped);
  base::last_words(
      "an exception escaped from a submitted job; set pool_options::on_escaped_exception to handle "
      "it");
  std::rethrow_exception(std::move(escaped));
}

// -------------------------------------------------------------------------------------------------
// extensions
void scheduler::attach(external_source& added) {
  FILCH_ASSERT(parking_.source() == nullptr,
               "a pool sleeps in one external source; join several in one", parking_.source());
  threads_.start_first();
  parking_.attach(added);
}

scheduler::attachment& scheduler::attachment_made_by(
    std::unique_ptr<attachment> (*make)(const scheduler&)) {
  base::lock_guard guard{attaching_};
  if (attachment_ == nullptr) attachment_ = make(*this);
  return *attachment_;
}

}  // namespace filch::sched
