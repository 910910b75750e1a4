#include <filch/graph/thread_queue.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/graph/core.hpp>

#include <pthread.h>

#include <cstdio>
#include <stdexcept>

namespace filch::inline v0_2 {

/// All queues of the process.
struct thread_queues {
  static inline base::mutex lock;
  static inline thread_queue* oldest FILCH_GUARDED_BY(lock) = nullptr;
  /// Relaxed: a queue that another thread has just made has nothing in it.
  static inline base::atomic<bool> exist{false};

  // At a fork no other thread holds a lock, as it would hold the child's for ever.
  static void before_fork() noexcept FILCH_UNCHECKED {
    lock.lock();
    for (thread_queue* each = oldest; each != nullptr; each = each->newer_) each->lock_.lock();
  }
  static void after_fork() noexcept FILCH_UNCHECKED {
    for (thread_queue* each = oldest; each != nullptr; each = each->newer_) each->lock_.unlock();
    lock.unlock();
  }
  [[maybe_unused]] static inline const int hooked =
      ::pthread_atfork(&before_fork, &after_fork, &after_fork);

  static thread_queue* find(const void* owner) noexcept FILCH_REQUIRES(lock) {
    thread_queue* each = oldest;
    while (each != nullptr && each->owner_ != owner) each = each->newer_;
    return each;
  }
  static void add(thread_queue& made) {
    base::lock_guard guard{lock};
    if (find(made.owner_) != nullptr)
      throw std::logic_error("filch: this thread has a thread_queue already. Use that one.");
    made.newer_ = std::exchange(oldest, &made);
    exist.store(true, base::relaxed);
  }
  static void remove(thread_queue& gone) noexcept {
    base::lock_guard guard{lock};
    thread_queue** at = &oldest;
    while (*at != &gone) at = &(*at)->newer_;
    *at = gone.newer_;
    exist.store(oldest != nullptr, base::relaxed);
  }
};

thread_queue::thread_queue() { thread_queues::add(*this); }

thread_queue::~thread_queue() {
  thread_queues::remove(*this);
  while (sched::detached_job* const dropped = pop())
    dropped->finish(dropped, sched::detached_job::fate::discard);
}

bool thread_queue::exist() noexcept { return thread_queues::exist.load(base::relaxed); }

thread_queue* thread_queue::of_this_thread() noexcept {
  if (!exist()) return nullptr;
  base::lock_guard guard{thread_queues::lock};
  return thread_queues::find(&sched::current_stack);
}

sched::detached_job* thread_queue::take_from_any(const graph::core& of) noexcept {
  base::lock_guard guard{thread_queues::lock};
  for (thread_queue* each = thread_queues::oldest; each != nullptr; each = each->newer_)
    if (sched::detached_job* const found = each->take_one_of(of)) return found;
  return nullptr;
}

// All under the lock: as soon as the last job is there, its thread may run it and end the queue.
void thread_queue::push(sched::detached_job& job) noexcept {
  job.next = nullptr;
  base::lock_guard guard{lock_};
  if (first_ == nullptr) {
    first_ = &job;
  } else {
    last_->next = &job;
  }
  last_ = &job;
  ++size_;
  parker_.unpark();
}

sched::detached_job* thread_queue::pop() noexcept {
  base::lock_guard guard{lock_};
  sched::detached_job* const oldest = first_;
  if (oldest == nullptr) return nullptr;
  first_ = static_cast<sched::detached_job*>(oldest->next);
  --size_;
  return oldest;
}

sched::detached_job* thread_queue::take_one_of(const graph::core& of) noexcept {
  base::lock_guard guard{lock_};
  sched::detached_job* before = nullptr;
  for (sched::detached_job* each = first_; each != nullptr;) {
    sched::detached_job* const next = static_cast<sched::detached_job*>(each->next);
    if (of.is_asked_by(*each)) {
      if (before == nullptr) {
        first_ = next;
      } else {
        before->next = next;
      }
      if (last_ == each) last_ = before;
      --size_;
      return each;
    }
    before = each;
    each = next;
  }
  return nullptr;
}

std::size_t thread_queue::run_pending() {
  FILCH_ASSERT(owner_ == &sched::current_stack, "a thread_queue is run by the thread that made it",
               this);
  std::size_t count = 0, there = 0;
  {
    base::lock_guard guard{lock_};
    there = size_;
  }
  for (; count != there; ++count) {
    sched::detached_job* const oldest = pop();
    if (oldest == nullptr) break;  // a piece of work has run others
    oldest->finish(oldest, sched::detached_job::fate::run);
  }
  return count;
}

void thread_queue::wait(std::uint64_t nanoseconds) noexcept {
  const base::waiting_for why{"work for a thread_queue"};
  const sched::blocking_region leave;
  if (nanoseconds == no_end) return parker_.park();
  static_cast<void>(parker_.park_for(nanoseconds));
}

void thread_queue::wake() noexcept {
  base::lock_guard guard{lock_};
  parker_.unpark();
}

thread_missing::thread_missing(const char* node) noexcept {
  std::snprintf(text_, sizeof text_,
                "filch: a task_graph was stopped while its node %s waited for its thread, which "
                "did not call run_pending, run_until or task_graph::run",
                node);
}

}  // namespace filch
