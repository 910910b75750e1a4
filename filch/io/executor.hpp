#pragma once
#include <filch/base/exceptions.hpp>
#include <filch/co/sync/async_event.hpp>
#include <filch/io/context.hpp>
#include <filch/sched/pool/held_callable.hpp>

#include <asio/execution.hpp>
#include <asio/query.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::io {
namespace detail {

/// A function on its way to a worker, in memory from its own allocator.
template <class F, class Allocator>
class function_job final : public sched::detached_job {
 public:
  /// `must_run`: also in a pool that was asked to stop.
  template <class G>
  static function_job* make(sched::scheduler& home, const Allocator& allocator, bool must_run,
                            G&& function) {
    memory from(allocator);
    function_job* const made = traits::allocate(from, 1);
    FILCH_TRY { return new (made) function_job(home, from, must_run, std::forward<G>(function)); }
    FILCH_CATCH_ALL {
      traits::deallocate(from, made, 1);
      FILCH_RETHROW;
    }
  }

 private:
  using memory = typename std::allocator_traits<Allocator>::template rebind_alloc<function_job>;
  using traits = std::allocator_traits<memory>;

  template <class G>
  function_job(sched::scheduler& home, const memory& from, bool must_run, G&& function)
      : core_{home}, from_{from}, function_(std::forward<G>(function)) {
    has_begun = must_run;
    finish = [](detached_job* self, fate end) { static_cast<function_job*>(self)->run(end); };
  }
  // Frees its memory first, as Asio promises for handlers: what the function begins may use it
  // again.
  void run(fate end) noexcept {
    sched::scheduler& core = core_;
    memory from = from_;
    sched::held_callable<F> body(std::move(function_));
    this->~function_job();
    traits::deallocate(from, this, 1);
    if (std::exception_ptr escaped = end == fate::run ? body.run() : body.destroy())
      sched::report_escaped(core, std::move(escaped));
  }

  sched::scheduler& core_;
  [[no_unique_address]] memory from_;
  F function_;
};

}  // namespace detail

/// An executor of Asio that runs functions as jobs of the pool to which a context is attached:
/// `asio::post(io::executor{io}, f)`. Strands, `any_io_executor` and `asio::co_spawn` take it, and
/// I/O objects: `tcp::socket socket{io::executor{io}}`.
///
/// An I/O object on it belongs to the context like one on `context::executor()`, and no thread is
/// started for it. But its handlers run as jobs of the pool, several at a time: they may fork, wait
/// and take their time, and a strand keeps them apart.
///
/// Properties: `asio::execution::blocking` (possibly, never, always), `relationship`,
/// `outstanding_work` and `allocator` can be required; `asio::execution::context`, `mapping`,
/// `occupancy` and `bulk_guarantee` can be queried. `possibly`, the default: runs at once if the
/// caller is a job of this pool and no handler of the context. `always`: waits for the end.
/// `relationship` is kept and changes nothing. `tracked`: the pool's end waits for this executor,
/// as for an I/O object's operation.
/// Cost:    an allocation by `allocator` and a push, as `thread_pool::submit`.
/// Throws:  `execute` what `submit` throws; if tracked, a stopped pool still runs the function. An
///          exception that escapes from a function goes to `pool_options::on_escaped_exception`, or
///          to the caller if it ran at once or was waited for.
/// Lifetime: made after `attach`; used while the pool lives.
/// Source:   Asio 1.22.1, requirements on executors.
/// Example: examples/io_executor.cpp
template <class Allocator = std::allocator<void>>
class basic_executor {
 public:
  explicit basic_executor(context& in, const Allocator& allocator = Allocator()) noexcept
      : in_{&in}, allocator_(allocator) {}
  basic_executor(const basic_executor& other) noexcept
      : basic_executor{*other.in_, other.allocator_, other.blocking_, other.relationship_,
                       other.work_} {}
  /// `other` tracks nothing any more, as `asio::executor_work_guard` does not destroy what it has
  /// moved from.
  basic_executor(basic_executor&& other) noexcept
      : in_{other.in_},
        blocking_{other.blocking_},
        relationship_{other.relationship_},
        work_{std::exchange(other.work_, asio::execution::outstanding_work.untracked)},
        allocator_(other.allocator_) {}
  basic_executor& operator=(basic_executor other) noexcept {
    std::swap(in_, other.in_);
    std::swap(blocking_, other.blocking_);
    std::swap(relationship_, other.relationship_);
    std::swap(work_, other.work_);
    std::swap(allocator_, other.allocator_);
    return *this;
  }
  ~basic_executor() { end_work(); }

  template <class F>
  void execute(F&& function) const {
    if (blocking_ != asio::execution::blocking.never && runs_here()) {
      std::decay_t<F> own(std::forward<F>(function));
      std::move(own)();
    } else if (blocking_ == asio::execution::blocking.always) {
      run_and_wait(std::forward<F>(function));
    } else {
      hand_over(std::forward<F>(function), is_tracked());
    }
  }
  /// True if `execute` may run a function at once.
  bool runs_here() const noexcept {
    return in_->pool().is_current() && !in_->executor().running_in_this_thread();
  }

  friend bool operator==(const basic_executor& a, const basic_executor& b) noexcept {
    return a.in_ == b.in_ && a.allocator_ == b.allocator_ && a.blocking_ == b.blocking_ &&
           a.relationship_ == b.relationship_ && a.work_ == b.work_;
  }

  // -----------------------------------------------------------------------------------------------
  // properties
  template <std::convertible_to<asio::execution::blocking_t> Wanted>
  requires Wanted::is_requirable basic_executor require(const Wanted& wanted)
  const noexcept { return {*in_, allocator_, wanted, relationship_, work_}; }
  template <std::convertible_to<asio::execution::relationship_t> Wanted>
  requires Wanted::is_requirable basic_executor require(const Wanted& wanted)
  const noexcept { return {*in_, allocator_, blocking_, wanted, work_}; }
  template <std::convertible_to<asio::execution::outstanding_work_t> Wanted>
  requires Wanted::is_requirable basic_executor require(const Wanted& wanted)
  const noexcept { return {*in_, allocator_, blocking_, relationship_, wanted}; }
  template <class Other>
  basic_executor<Other> require(const asio::execution::allocator_t<Other>& wanted) const noexcept {
    return {*in_, wanted.value(), blocking_, relationship_, work_};
  }
  basic_executor<> require(const asio::execution::allocator_t<void>&) const noexcept {
    return {*in_, {}, blocking_, relationship_, work_};
  }

  asio::execution::blocking_t query(const asio::execution::blocking_t&) const noexcept {
    return blocking_;
  }
  asio::execution::relationship_t query(const asio::execution::relationship_t&) const noexcept {
    return relationship_;
  }
  asio::execution::outstanding_work_t query(
      const asio::execution::outstanding_work_t&) const noexcept {
    return work_;
  }
  template <class Any>
  Allocator query(const asio::execution::allocator_t<Any>&) const noexcept {
    return allocator_;
  }
  asio::io_context& query(const asio::execution::context_t&) const noexcept {
    return asio::query(in_->executor(), asio::execution::context);
  }
  std::size_t query(const asio::execution::occupancy_t&) const noexcept {
    return in_->pool().concurrency();
  }
  static constexpr asio::execution::mapping_t query(const asio::execution::mapping_t&) noexcept {
    return asio::execution::mapping.thread;
  }
  static constexpr asio::execution::bulk_guarantee_t query(
      const asio::execution::bulk_guarantee_t&) noexcept {
    return asio::execution::bulk_guarantee.parallel;
  }

 private:
  basic_executor(context& in, const Allocator& allocator, asio::execution::blocking_t blocking,
                 asio::execution::relationship_t relationship,
                 asio::execution::outstanding_work_t work) noexcept
      : in_{&in},
        blocking_{blocking},
        relationship_{relationship},
        work_{work},
        allocator_(allocator) {
    begin_work();
  }

  bool is_tracked() const noexcept { return work_ == asio::execution::outstanding_work.tracked; }
  void begin_work() const noexcept {
    if (!is_tracked()) return;
    sched::scheduler& core = in_->pool().core();
    core.jobs().begin(core.worker_here());
  }
  void end_work() const noexcept {
    if (!is_tracked()) return;
    sched::scheduler& core = in_->pool().core();
    const sched::keep_alive stays{core};
    core.jobs().end(core.worker_here());
  }
  template <class F>
  void hand_over(F&& function, bool must_run) const {
    sched::scheduler& core = in_->pool().core();
    auto* const job = detail::function_job<std::decay_t<F>, Allocator>::make(
        core, allocator_, must_run, std::forward<F>(function));
    must_run ? core.submit_always(job) : core.submit(job);
  }
  template <class F>
  void run_and_wait(F&& function) const {
    async_event ended;
    std::exception_ptr error;
    if (!is_tracked()) in_->pool().core().admit();
    hand_over(
        [&] {
          FILCH_TRY { std::forward<F>(function)(); }
          FILCH_CATCH_ALL { error = std::current_exception(); }
          ended.set();
        },
        true);
    filch::wait(ended.wait());
    if (error) std::rethrow_exception(std::move(error));
  }

  context* in_;
  asio::execution::blocking_t blocking_ = asio::execution::blocking.possibly;
  asio::execution::relationship_t relationship_ = asio::execution::relationship.fork;
  asio::execution::outstanding_work_t work_ = asio::execution::outstanding_work.untracked;
  [[no_unique_address]] Allocator allocator_;

  template <class Other>
  friend class basic_executor;
};

/// The executor with the usual allocator.
using executor = basic_executor<>;
static_assert(sizeof(executor) <= 24, "any_io_executor is to hold it without an allocation");

}  // namespace filch::io
