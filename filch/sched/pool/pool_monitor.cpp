#include <filch/sched/pool/pool_monitor.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/base/simulation.hpp>
#include <filch/sched/pool/pool_state.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::sched {
namespace {

constexpr std::uint64_t look_every_ns = 500'000'000;
constexpr std::uint64_t starved_ns = 1'000'000'000;

}  // namespace

// At most one of the threads that see it parked wakes it.
void pool_monitor::wake() noexcept {
  base::lock_guard guard{lock_};
  if (ends_.load(base::relaxed) || !is_asleep_.load(base::relaxed)) return;
  is_asleep_.store(false, base::relaxed);
  start_or_unpark();
}

void pool_monitor::note_shortage() noexcept {
  if (base::current_simulation() != nullptr) return;  // the simulation reports what waits
  base::lock_guard guard{lock_};
  if (ends_.load(base::relaxed) || is_short_.load(base::relaxed)) return;
  is_short_.store(true, base::relaxed);
  start_or_unpark();
}

void pool_monitor::start_or_unpark() noexcept {
  if (thread_.joinable()) return parker_.unpark();
  FILCH_TRY {
    // No user's code runs there, so no user's signal handler either.
    thread_ = base::start_thread(0, [this] { run(); }, "monitor", {.blocked = base::all_signals()});
  }
  FILCH_CATCH_ALL {}
}

void pool_monitor::remember(timed_call& call) noexcept {
  base::lock_guard guard{lock_};
  calls_.add(call);
  if (call.due_ns < sleeps_until_ns_) start_or_unpark();
}

void pool_monitor::forget(timed_call& call) noexcept {
  constexpr std::chrono::microseconds moment{10};
  for (bool is_first = true;; is_first = false) {
    {
      base::lock_guard guard{lock_};
      if (call.is_over) return;
      if (!call.is_being_made) return calls_.remove(call);
    }
    is_first ? base::yield_thread() : base::nap_thread(moment);
  }
}

std::uint64_t pool_monitor::call_due() noexcept {
  for (;;) {
    timed_call* due = nullptr;
    {
      base::lock_guard guard{lock_};
      const std::uint64_t now = base::now_ns();
      const timer* const first = calls_.first();
      sleeps_until_ns_ = first == nullptr ? timer::never : first->due_ns;
      if (sleeps_until_ns_ > now)
        return sleeps_until_ns_ == timer::never ? timer::never : sleeps_until_ns_ - now;
      due = static_cast<timed_call*>(calls_.take_first());
      due->is_being_made = true;
    }
    due->go_on(*due);
    base::lock_guard guard{lock_};
    due->is_over = true;
  }
}

void pool_monitor::run() noexcept {
  for (;;) {
    const std::uint64_t call_in_ns = call_due();
    const std::uint64_t most_ns =
        falls_asleep() ? call_in_ns : (std::min)(call_in_ns, look_every_ns);
    if (most_ns == timer::never) {
      parker_.park();
    } else {
      static_cast<void>(parker_.park_for(most_ns));
    }
    if (ends_.load(base::relaxed)) return;  // relaxed: the token brings it
    if (follows_budget_) pool_.review_budget();
    if (is_short_.load(base::relaxed)) look_for_starvation();
  }
}

void pool_monitor::look_for_starvation() noexcept {
  const std::uint64_t begun = pool_.jobs_begun(), now = base::now_ns();
  const bool goes_on = std::exchange(jobs_begun_, begun) != begun;
  if (goes_on) is_reported_ = false;
  if (!pool_.is_starved()) {
    starved_since_ns_ = 0;
    is_short_.store(false, base::relaxed);  // a start of a thread that fails from now on sets it
    if (pool_.is_starved()) is_short_.store(true, base::relaxed);
    return;
  }
  if (goes_on || starved_since_ns_ == 0) starved_since_ns_ = now;
  if (is_reported_ || now - starved_since_ns_ < starved_ns) return;
  is_reported_ = true;
  pool_.report_starvation();
}

// Either this sees the slot that was taken, or its taker sees that this parks. (edge::announce)
bool pool_monitor::falls_asleep() noexcept {
  if (is_short_.load(base::relaxed)) return false;  // relaxed: its writer leaves a token
  if (!follows_budget_) return true;
  if (pool_.parking().is_in_use(pool_.parking().idle().peek())) return false;
  is_asleep_.store(true, base::relaxed);
  if (!pool_.parking().is_in_use(pool_.parking().idle().look_after_publish())) return true;
  is_asleep_.store(false, base::relaxed);  // a token that still comes costs one more look
  return false;
}

void pool_monitor::end() noexcept {
  base::thread ending;
  {
    base::lock_guard guard{lock_};
    is_asleep_.store(false, base::relaxed);
    ends_.store(true, base::relaxed);  // relaxed: as above
    ending = std::move(thread_);
  }
  if (!ending.joinable()) return;
  parker_.unpark();
  ending.join();
}

}  // namespace filch::sched
