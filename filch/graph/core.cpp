// A graph: how it is built, and how a run begins and ends.
#include <filch/graph/core.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/base/thread.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/stop_token.hpp>
#include <filch/co/timers/sleep.hpp>
#include <filch/graph/loop.hpp>
#include <filch/graph/thread_queue.hpp>
#include <filch/sched/worker/join_spin.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/trace/recorder.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace filch::inline v0_2::graph {

namespace {

// How often a thread that waits for nodes of another one looks for a stop, which wakes no thread.
constexpr std::uint64_t looks_each_ns = 5'000'000;
// How often a thread with a queue looks whether the graph that it destroys may go.
constexpr std::uint64_t looks_for_end_each_ns = 100'000;

}  // namespace

// -------------------------------------------------------------------------------------------------
// building
core::~core() {
  wait_until_idle();
  clear();
}

// Not until the end of the last node alone: then the caller of the run looks at the core once more.
void core::wait_until_idle() noexcept {
  if (idle_.is_set()) return;
  thread_queue* const mine = thread_queue::of_this_thread();
  if (mine == nullptr) return filch::wait(idle_.wait());
  while (!idle_.is_set()) {
    sched::detached_job* const next = mine->take_one_of(*this);
    if (next == nullptr) {
      mine->wait(looks_for_end_each_ns);
    } else {
      next->finish(next, sched::detached_job::fate::run);
    }
  }
}

void core::check_idle(const char* what) {
  if (!idle_.is_set())
    throw std::logic_error(std::string{"filch: "} + what +
                           " of a task_graph that is running. Wait until its run has returned.");
}

void core::reserve(std::size_t edges) {
  const auto make_room = [](auto& in, std::size_t more) {
    if (in.capacity() - in.size() < more) in.reserve(std::max(2 * in.capacity(), in.size() + more));
  };
  make_room(nodes_, 1);
  make_room(links_, edges);
}

void core::add(node_base& made) noexcept {
  is_planned_ = false;
  made.info->number = size();
  nodes_.push_back(&made);
}

void core::connect(node_info& from, link made) noexcept {
  is_planned_ = false;
  links_.push_back(made);
  const bool is_read = made.kind == dependency::value || made.kind == dependency::optional_value;
  if (is_read) ++from.readers;
}

void core::clear() noexcept {
  for (node_base* each : nodes_) each->operations->destroy(*each);
  nodes_.clear();
  links_.clear();
  is_planned_ = false;
  nodes_memory_.clear();
  other_memory_.clear();
}

void core::prepare() {
  if (is_planned_) return;
  plan_.make(nodes_, links_);
  results_ = std::make_unique<node_result[]>(size());
  order_.begin(plan_);
  is_planned_ = true;
}

// -------------------------------------------------------------------------------------------------
// a run
void core::run(const algo::settings& how) {
  how.check_stop();
  thread_pool& pool = how.pool != nullptr ? *how.pool : sched::lasting_pool_here();
  pool.run([&] {
    begin(pool.core(), how.stop);
    serves_ = thread_queue::of_this_thread();
    loop{*this}.begin(*this);
    wait();
  });
  leave();
}

namespace {

/// The first loop of a run that no thread waits for.
struct starter : sched::detached_job {
  core* of;
};

}  // namespace

void core::begin(sched::scheduler& in, const algo::stop_condition& stop, node_base* outer) {
  {
    base::lock_guard guard{lock_};
    if (!idle_.is_set())
      throw std::logic_error(
          "filch: run() of a task_graph that is running. Wait until its run has "
          "returned, or make a graph for each run.");
    idle_.reset();
  }
  FILCH_TRY { prepare(); }
  FILCH_CATCH_ALL {
    idle_.set();
    FILCH_RETHROW;
  }
  pool_ = &in;
  outer_ = outer;
  float_mode_ = base::current_float_mode();
  stop_ = stop;
  may_stop_ = stop.stop_possible() || outer_ != nullptr;
  serves_ = nullptr;
  // Relaxed, these: the threads of the run begin by an edge of a queue
  cancelled_.store(false, base::relaxed);
  stopped_.store(false, base::relaxed);
  is_ordered_ = order_.is_on();
  left_.begin(size());
  ended_.reset();
  began_ns_ = base::now_ns();
  began_ticks_ = base::ticks();
}

// The run may be gone when this returns.
void core::start(loop& on) noexcept {
  if (size() == 0) return end(on);
  for (const std::uint32_t root : plan_.roots) on.make_ready(plan_.steps[root]);
}

// The last thread of the run. A run that is waited for may be gone when this returns.
void core::end(loop& on) noexcept {
  ran_ns_ = base::now_ns() - began_ns_;
  ran_ticks_ = base::ticks() - began_ticks_;
  order_.learn(plan_, results_.get(), pool_->threads().slot_count());
  if (outer_ == nullptr && trace::recorder::is_on()) [[unlikely]]
    record_run();
  if (outer_ == nullptr) return serves_ == nullptr ? ended_.set() : serves_->push(end_message_);
  node_base& outer = *std::exchange(outer_, nullptr);
  const bool was_stopped = stopped_.load(base::relaxed);  // relaxed: of this run, which has ended
  std::exception_ptr thrown;
  {
    base::lock_guard guard{lock_};
    thrown = std::exchange(error_, nullptr);
  }
  idle_.set();
  core& whole = *outer.home;
  const bool has_failed = thrown != nullptr;
  if (has_failed) whole.fail(outer, std::move(thrown));
  on.end_and_queue(whole.plan_.steps[outer.index], has_failed    ? node_outcome::failed
                                                   : was_stopped ? node_outcome::cancelled
                                                                 : node_outcome::ran);
}

void core::wait() noexcept {
  if (serves_ != nullptr) return serve(*serves_);
  if (may_stop_ && thread_queue::exist()) return wait_for_threads();
  if (!sched::is_outside()) {
    sched::join_spin idle{sched::current_worker().core.wants()};
    while (!ended_.is_set() && !idle.costs_more_than_sleep()) {
      // Each look takes the lock, which the last thread needs
      for (int i = 0; i < 8; ++i) base::cpu_relax();
    }
  }
  filch::wait(ended_.wait());
}

// Throws what failed, or `stopped`. The graph may be gone when this returns.
void core::leave() {
  std::exception_ptr thrown;
  const bool was_stopped = stopped_.load(base::relaxed);  // relaxed: of a run that has ended
  {
    base::lock_guard guard{lock_};
    thrown = std::exchange(error_, nullptr);
  }
  idle_.set();
  if (thrown) std::rethrow_exception(thrown);
  if (was_stopped) algo::settings::throw_stopped();
}

// -------------------------------------------------------------------------------------------------
// apart from the caller
void core::run_inside(loop& on, node_base& outer) {
  begin(*outer.home->pool_, {}, &outer);
  start(on);
}

task<> core::run_async(algo::settings how) {
  how.check_stop();
  thread_pool& pool = how.pool != nullptr ? *how.pool : sched::lasting_pool_here();
  const std::stop_token asked = co_await co::get_stop_token();
  begin(pool.core(), how.stop);
  may_stop_ = may_stop_ || asked.stop_possible();
  bool waits_here = false;
  starter first{{}, this};
  first.finish = [](sched::detached_job* self, sched::detached_job::fate end) {
    core& of = *static_cast<starter*>(self)->of;
    if (end == sched::detached_job::fate::discard && of.size() != 0)
      of.stop_with_the_pool(*of.nodes_.front());
    loop{of}.begin(of);
  };
  {
    const auto stops = [this] { request_stop(); };
    const base::stop_callback<decltype(stops)> stop{asked, stops};
    pool.core().submit_always(&first);
    // Spawned, as a request to stop must not end this wait before the run has ended
    FILCH_TRY { co_await spawn(pool, await_end()); }
    FILCH_CATCH_ALL { waits_here = true; }
    // Memory was refused, or the pool stops: this thread waits
    if (waits_here) wait();
  }
  leave();
}

task<> core::await_end() {
  while (may_stop_ && !ended_.is_set() && thread_queue::exist()) {
    if (is_cancelled()) cancel_waiting_for_threads();
    co_await sleep_for(std::chrono::nanoseconds{looks_each_ns});
  }
  co_await ended_.wait();
}

void core::end_later(node_base& node, std::exception_ptr thrown) noexcept {
  const node_outcome how = thrown ? node_outcome::failed : node_outcome::ran;
  if (thrown) fail(node, std::move(thrown));
  loop{*this}.end_elsewhere(plan_.steps[node.index], how);
}

// -------------------------------------------------------------------------------------------------
// nodes that belong to a thread
bool core::is_asked_by(const sched::detached_job& job) const noexcept {
  if (&job == &end_message_) return true;
  if (job.finish != &loop::run_placed) return false;
  const core* of = static_cast<const node_info&>(job).node->home;
  while (of != this && of->outer_ != nullptr) of = of->outer_->home;
  return of == this;
}

// Runs this graph's nodes alone: what else is in the queue may wait for what this thread holds.
void core::serve(thread_queue& mine) noexcept {
  for (;;) {
    sched::detached_job* const next = mine.take_one_of(*this);
    if (next == &end_message_) return;
    if (next != nullptr) {
      next->finish(next, sched::detached_job::fate::run);
    } else {
      mine.wait(may_stop_ ? looks_each_ns : thread_queue::no_end);
      if (may_stop_ && is_cancelled()) cancel_waiting_for_threads();
    }
  }
}

void core::wait_for_threads() noexcept {
  while (!ended_.is_set()) {
    if (is_cancelled()) cancel_waiting_for_threads();
    const sched::blocking_region leave;
    base::nap_thread(std::chrono::nanoseconds{looks_each_ns});
  }
}

// Their threads may never come: they end here. One of them is named.
void core::cancel_waiting_for_threads() noexcept {
  for (;;) {
    sched::detached_job* const waiting = thread_queue::take_from_any(*this);
    if (waiting == nullptr) return;
    if (waiting == &end_message_) return serves_->push(end_message_);  // not for this loop
    const node_base& node = *static_cast<node_info*>(waiting)->node;
    if (node.info->on_thread != serves_)
      fail(node, std::make_exception_ptr(thread_missing{name_of(node).c_str()}));
    waiting->finish(waiting, sched::detached_job::fate::run);
  }
}

// -------------------------------------------------------------------------------------------------
// stops
bool core::looks_for_stop() noexcept {
  if (!stop_.stop_requested() && (outer_ == nullptr || !outer_->home->is_cancelled())) return false;
  request_stop();
  return true;
}

// Relaxed, both: when it takes effect is a matter of timing anyway; the end of the run orders them
void core::request_stop() noexcept {
  stopped_.store(true, base::relaxed);
  cancelled_.store(true, base::relaxed);
}

void core::fail(const node_base& by, std::exception_ptr thrown) noexcept {
  cancelled_.store(true, base::relaxed);  // relaxed: as above
  base::lock_guard guard{lock_};
  if (error_ && by.info->number >= error_number_) return;
  std::swap(error_, thrown);  // the other one ends without the lock
  error_number_ = by.info->number;
}

void core::stop_with_the_pool(const node_base& discarded) noexcept {
  fail(discarded, std::make_exception_ptr(pool_stopped{}));
}

node_outcome core::decide_by_sources(const step& of) const noexcept {
  if (of.needs == 0) return node_outcome::ran;
  bool comes_from_one = false, has_choices = false, is_chosen = false;
  for (std::uint32_t i = 0; i != of.needs; ++i) {
    const source& one = plan_.sources[plan_.ways_of[of.node->index].first_source + i];
    const bool has_come =
        results_[one.index].outcome == node_outcome::ran &&
        (one.kind != dependency::choice || plan_.steps[one.index].node->info->chosen == one.choice);
    if (!has_come && one.kind == dependency::value) return node_outcome::skipped;
    comes_from_one |= has_come;
    has_choices |= one.kind == dependency::choice;
    is_chosen |= has_come && one.kind == dependency::choice;
  }
  return comes_from_one && is_chosen == has_choices ? node_outcome::ran : node_outcome::skipped;
}

const choice* core::chosen_loop(const step& of) const noexcept {
  const ways& its = plan_.ways_of[of.node->index];
  for (std::uint32_t i = 0; i != its.choices; ++i) {
    const choice& one = plan_.choices[its.first_choice + i];
    if (one.value == of.node->info->chosen) return &one;
  }
  return nullptr;
}

std::uint64_t core::ns_of(const node_base& node) const noexcept {
  if (ran_ticks_ == 0) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(result_of(node).ticks) *
                                    static_cast<double>(ran_ns_) / static_cast<double>(ran_ticks_));
}

}  // namespace filch::graph
