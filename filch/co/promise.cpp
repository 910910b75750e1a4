#include <filch/co/promise.hpp>

#include <filch/base/caller.hpp>
#include <filch/base/panic.hpp>
#include <filch/co/cancelled.hpp>
#include <filch/co/sync/interrupt.hpp>
#include <filch/co/thread_waiter.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/sched/pool/pool_state.hpp>
#include <filch/sched/worker/visit_until_done.hpp>

namespace filch::inline v0_2::co {

static_assert(sizeof(promise<void>) <= 120 && sizeof(promise<int>) <= 120,
              "a million suspended tasks are to fit");

// -------------------------------------------------------------------------------------------------
// any task
void promise_base::note_failure(std::exception_ptr error, std::uint32_t order) noexcept {
  base::lock_guard guard{lock_};
  if (error_ && order >= error_order_) return;
  error_ = std::move(error);
  error_order_ = order;
}

void promise_base::tell_failure_to_parent() noexcept {
  parent_->note_failure(error_, order_);
  done_.finish();
}

// From `finish` on, a thread that drops the child's handle may free its frame; from `end_one` on,
// the parent may be gone. A loop, as each parent that had only waited for this child ends in turn:
// up to a quarter of a million.
std::coroutine_handle<> promise_base::end_apart(void* child) noexcept {
  for (auto* ended = static_cast<promise_base*>(child);;) {
    promise_base& parent = *ended->parent_;
    if (ended->error_) parent.note_failure(ended->error_, ended->order_);
    if (waiter* const found = ended->done_.finish()) found->notify(*found, *ended);
    if (!parent.forks_.end_one()) return nullptr;
    if (parent.phase_ != task_phase::finished) return resume_at(parent);
    if (!parent.is_forked_) return finish_late(&parent);
    if (parent.interrupts_ != nullptr) parent.unlist();
    ended = &parent;
  }
}

std::coroutine_handle<> promise_base::wait_for_forks(void* self) noexcept {
  promise_base& mine = *static_cast<promise_base*>(self);
  return mine.forks_.wait() ? nullptr : finish_late(&mine);
}

std::coroutine_handle<> promise_base::finish_late(promise_base* ended) noexcept {
  if (ended->interrupts_ != nullptr) ended->unlist();
  if (ended->root_ == ended) return tell_waiter(ended);
  if (ended->is_forked_) return end_apart(ended);
  ended->resumes = ended->caller();
  return resume_at(*ended);
}

void promise_base::make_ready(void (*how)(detached_job*, fate)) noexcept {
  base::task_is_ready(resumes.address());
  if (root_ != nullptr) {
    if (root_ != this) urgency = root_->urgency;  // a root's forks may be reading its own
    return sched::visit_until_done(*root_->pool_,
                                   [&pool = *root_->pool_, this, how](sched::worker* here) {
                                     pool.enqueue(as_job(how), here);
                                   });
  }
  sched::current_worker().core.submit_always(as_job(how));
}

void promise_base::run(detached_job* self, fate end) {
  promise_base& mine = *static_cast<promise_base*>(self);
  if (end == fate::discard) [[unlikely]]
    return mine.be_discarded();
  mine.has_begun = true;
  run_at_bottom(mine.resumes);
}

// A root that has not begun: all other tasks run on in a stopped pool.
void promise_base::be_discarded() {
  phase_ = task_phase::finished;
  error_ = std::make_exception_ptr(pool_stopped());
  if (const std::coroutine_handle<> goes_on = tell_waiter(this)) run_here(goes_on);
}

void promise_base::end_without_beginning() noexcept {
  phase_ = task_phase::finished;
  error_ = std::make_exception_ptr(cancelled());
  if (const std::coroutine_handle<> goes_on = tell_waiter(this)) run_at_bottom(goes_on);
}

// -------------------------------------------------------------------------------------------------
// roots
// Inlined into the spawns: saves eleven instructions of 424 a link of a chain.
[[gnu::always_inline]] inline void promise_base::become_root(
    sched::scheduler& pool, std::coroutine_handle<> self) noexcept {
  FILCH_ASSERT(phase_ == task_phase::not_begun, "a task is awaited or spawned once", phase_);
  phase_ = task_phase::running;
  finish = &run;
  ends_later = true;
  resumes = self;
  root_ = this;
  pool_ = &pool;
}

void promise_base::begin_root(sched::scheduler& pool, std::coroutine_handle<> self) noexcept {
  become_root(pool, self);
}

inline void promise_base::begin_spawned(sched::scheduler& pool, std::coroutine_handle<> self,
                                        priority how_urgent) noexcept {
  urgency = how_urgent;
  become_root(pool, self);
  base::task_is_ready(self.address());
}

void promise_base::spawn_on(sched::scheduler& pool, std::coroutine_handle<> self,
                            priority how_urgent, waiter* told,
                            void (*begins)(detached_job*, fate)) {
  pool.admit();
  begin_spawned(pool, self, how_urgent);
  finish = begins;
  if (told != nullptr) done_.begin_with(*told);
  pool.submit_always(this);
}

void promise_base::spawn_here(std::coroutine_handle<> self, priority how_urgent) {
  const bool is_usual = !sched::is_outside() && sched::current_worker().core.admits_at_once();
  if (!is_usual) [[unlikely]]
    return spawn_slowly(self, how_urgent);
  sched::worker& here = sched::current_worker();
  begin_spawned(here.core, self, how_urgent);
  here.core.submit_always_by(here, this);
}

// Apart, so that `spawn_here` saves no registers.
void promise_base::spawn_slowly(std::coroutine_handle<> self, priority how_urgent) {
  spawn_on(sched::lasting_pool_here().core(), self, how_urgent);
}

// The frame may be gone when `notify` or `finish` returns; the pool waits until this ends.
std::coroutine_handle<> promise_base::tell_waiter(void* self) noexcept {
  promise_base& mine = *static_cast<promise_base*>(self);
  sched::scheduler& pool = *mine.pool_;
  mine.on_unobserved_ = pool.options.on_escaped_exception;
  waiter* const found = mine.done_.finish();
  const std::coroutine_handle<> next = found == nullptr ? nullptr : found->notify(*found, mine);
  sched::visit_until_done(pool, [&pool](sched::worker* here) { pool.jobs().end(here); });
  return next;
}

void promise_base::wait_for_end() noexcept {
  if (done_.is_finished()) return;
  if (!sched::is_outside()) sched::current_worker().core.threads().insist_on_one();
  const base::waiting_for why{
      base::awaited{base::a_task, root_ == this ? resumes.address() : nullptr}};
  thread_waiter me;
  if (done_.leave_for_good(me)) me.sleep(base::caller());
}

void promise_base::move_to(sched::scheduler& pool, promise_base& suspended) noexcept {
  sched::scheduler& from = *std::exchange(pool_, &pool);
  pool.jobs().begin(pool.worker_here());
  if (interrupts_ != nullptr) {
    sched::stoppables::remove(*interrupts_);
    sched::pool_state::of(pool).add_stoppable(*interrupts_);
  }
  if (&suspended != this) suspended.urgency = urgency;
  sched::visit_until_done(pool,
                          [&](sched::worker* here) { pool.enqueue(suspended.as_job(), here); });
  sched::visit_until_done(from, [&](sched::worker* here) { from.jobs().end(here); });
}

std::stop_source promise_base::stop_source() {
  base::lock_guard guard{lock_};
  if (!stop_source_.stop_possible()) stop_source_ = std::stop_source{};
  return stop_source_;
}

sync::cancellation_slot& promise_base::make_interrupts() {
  interrupts_ = new sync::cancellation_slot{root_->stop_source(), root_, root_->function_};
  sched::pool_state::of(*root_->pool_).add_stoppable(*interrupts_);
  return *interrupts_;
}

std::stop_token promise_base::stop_token() {
  interrupts();
  return root_->stop_source().get_token();
}

// The task has ended, and its frame may outlive its pool.
void promise_base::unlist() noexcept { sched::stoppables::remove(*interrupts_); }
void promise_base::drop_interrupts() noexcept { delete interrupts_; }

void promise_base::destroy_with_error() noexcept {
  const sched::escaped_exception_handler handler = on_unobserved_;
  const bool was_discarded = !has_begun;
  bool was_asked = false;
  {
    base::lock_guard guard{lock_};
    was_asked = stop_source_.stop_requested();
  }
  std::exception_ptr lost = std::exchange(error_, nullptr);
  resumes.destroy();
  if (!was_discarded && !is_cancellation(lost, was_asked))
    sched::handle_escaped(handler, std::move(lost));
}

}  // namespace filch::co
