#pragma once
#include <filch/fork/group_state.hpp>
#include <filch/sched/pool/held_callable.hpp>

#include <exception>
#include <type_traits>

namespace filch::inline v0_2 {

/// A group of jobs that are waited for together. Unlike the right side of a join, they may outlive
/// the frame that started them.
///
/// Threads: any thread may call `run` and `cancel`, even the group's own jobs; `wait` one thread at
/// a time.
/// Lifetime: the destructor waits, and drops an exception that no `wait` has thrown.
/// Source: the structure of oneTBB's `task_group`. We differ: a wait runs only jobs of this group,
/// never unrelated work.
class task_group {
 public:
  /// Makes a group whose jobs run in the pool of the calling thread, or else in `default_pool()`.
  task_group() : task_group(sched::lasting_pool_here()) {}
  /// The same in the pool of `with(pool)`.
  explicit task_group(sched::uses<sched::a_pool> in)
      : state_{new fork::group_state(in.pool_or_here().core())} {}
  ~task_group() {
    state_->wait();
    state_->drop_error();
    fork::group_state::release(state_);
  }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Starts `f`, possibly in parallel with the caller. A cancelled group ignores it.
  ///
  /// Cost: two allocations and about 30 ns; more if a sleeping worker must be woken.
  /// Throws: `std::bad_alloc`; then `f` does not run. If no thread can be started, `wait` runs
  /// everything itself.
  template <class F>
  void run(F&& f) {
    if constexpr (sched::check_jobs<std::decay_t<F>>())
      state_->add(new job<std::decay_t<F>>(std::forward<F>(f)));
  }
  /// Returns when all jobs have finished, and runs jobs that no other thread has begun. The group
  /// can be used again afterwards.
  ///
  /// Blocks: as `join`: runs only jobs of this group, then gives the slot away and sleeps.
  /// Throws: what a job threw. The exception has cancelled the group, so jobs that had not begun
  /// did not run. Of several jobs that threw, the one added first wins.
  void wait() {
    state_->wait();
    state_->rethrow();
  }
  /// Discards jobs that have not begun. Jobs that run finish, and so do the loops inside them. To
  /// end those too, give them a stop token, `with(token)`, and request its stop; they throw
  /// `stopped`, and so does `wait` unless the job catches it. Holds until the next `wait` returns.
  /// An exception of a job has the same effect.
  void cancel() noexcept { state_->cancel(); }
  bool is_cancelled() const noexcept { return state_->is_cancelled(); }

 private:
  template <class F>
  struct job final : fork::group_job {
    template <class G>
    explicit job(G&& g) : body(std::forward<G>(g)) {
      finish = [](group_job* self, fate end) noexcept -> std::exception_ptr {
        job* const mine = static_cast<job*>(self);
        std::exception_ptr thrown = end == fate::run ? mine->body.run() : mine->body.destroy();
        delete mine;
        return thrown;
      };
    }
    sched::held_callable<F> body;
  };

  fork::group_state* state_;
};

}  // namespace filch
