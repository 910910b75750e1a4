#include <filch/co/timers/interval.hpp>
#include <filch/co/timers/timed_wait.hpp>
#include <filch/co/timers/with_timeout.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/sched/pool/pool_state.hpp>

#include <algorithm>
#include <stdexcept>

namespace filch::inline v0_2::co {

base::steady_time now() noexcept { return base::steady_time_at(base::now_ns()); }

namespace timers {

void refuse_period() {
  throw std::invalid_argument("filch::interval: the period is not longer than zero");
}

std::uint64_t due_in(std::chrono::nanoseconds ahead) noexcept {
  const auto length =
      static_cast<std::uint64_t>(std::max(ahead, std::chrono::nanoseconds::zero()).count());
  return std::min(base::now_ns() + length, base::latest_ns);
}

timed_node::timed_node(std::uint64_t due) noexcept {
  due_ns = due;
  expire = &has_expired;
  go_on = &goes_on;
}

bool timed_node::is_due() const noexcept { return base::now_ns() >= due_ns; }

void timed_node::choose_queue(promise_base* own) {
  pool_ = own != nullptr && own->root() != nullptr ? &own->root()->pool()
                                                   : &sched::lasting_pool_here().core();
  const sched::worker* const here = pool_->worker_here();
  queue_ = &pool_->parking().timers().of(here == nullptr ? nullptr : &here->waiter);
  waits_at(queue_->lock());
}

// If this wait is all that the pool waits for, the pool may end as soon as the timer has started.
// So a thread that is not one of its workers keeps it alive meanwhile.
bool timed_node::start() noexcept {
  if (!sched::is_outside() && &sched::current_worker().core == pool_) return start_in_pool();
  const sched::keep_alive stays{*pool_};
  return start_in_pool();
}

namespace {

void add_first(sched::scheduler& pool, std::uint64_t due) noexcept {
  sched::worker* const here = pool.worker_here();
  pool.parking().timer_added(due, here == nullptr ? nullptr : &here->waiter);
}

}  // namespace

bool timed_node::start_in_pool() noexcept {
  sched::scheduler& pool = *pool_;
  const std::uint64_t due = due_ns;
  bool is_first = false;
  {
    base::lock_guard guard{queue_->lock()};
    if (at == state::interrupted) return false;
    runs_its_waiter = runs_where_it_is_woken();
    alone_.push_back(*this);
    is_first = queue_->add(*this);
  }
  if (is_first) add_first(pool, due);  // the timer may be gone
  return true;
}

void timed_node::has_expired(sched::timer& self) noexcept {
  static_cast<timed_node&>(self).alone_.serve_first();
}

void timed_node::goes_on(sched::timer& self) noexcept { static_cast<timed_node&>(self).wake(); }

// Called under the lock of the queue, which guards `alone_` too.
void timed_node::is_cancelled(void* self, sync::served_chain&) noexcept FILCH_UNCHECKED {
  timed_node& mine = *static_cast<timed_node*>(self);
  mine.queue_->remove(mine);
}

void timed_node::sleep_here() const noexcept {
  filch::blocking([this] {
    for (std::uint64_t now = base::now_ns(); now < due_ns; now = base::now_ns()) {
      constexpr std::uint64_t hour = 3'600'000'000'000;
      base::nap_thread(std::chrono::nanoseconds(std::min(due_ns - now, hour)));
    }
  });
}

struct cancelling_in_time::call : sched::timed_call {
  sched::pool_monitor& by;
  detail::task_set& all;

  call(sched::pool_monitor& who, detail::task_set& what, std::uint64_t due) noexcept
      : by{who}, all{what} {
    due_ns = due;
    go_on = [](sched::timer& self) { static_cast<call&>(self).all.cancel(); };
  }
};

cancelling_in_time::cancelling_in_time(detail::task_set& all, base::steady_time when) {
  sched::pool_monitor* const by =
      sched::pool_state::of(sched::lasting_pool_here().core()).timekeeper();
  if (by == nullptr) return;
  call_ = new call(*by, all, base::ns_of(when));
  by->remember(*call_);
}

cancelling_in_time::~cancelling_in_time() {
  if (call_ == nullptr) return;
  call_->by.forget(*call_);
  delete call_;
}

}  // namespace timers
}  // namespace filch::co
