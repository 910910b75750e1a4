#include <filch/sched/pool/pool_state.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/simulation.hpp>
#include <filch/sched/pool/read_metrics.hpp>

namespace filch::inline v0_2::sched {

pool_state::pool_state(const pool_options& wanted, unsigned slots)
    : scheduler{wanted, slots},
      asked_count_{slots},
      monitor_{*this,
               slots == 0 && threads().slot_count() > 1 && base::current_simulation() == nullptr} {}

pool_monitor* pool_state::timekeeper() noexcept {
  return threads().slot_count() == 1 && base::current_simulation() == nullptr ? &monitor_ : nullptr;
}

// Tickets of task groups may be left in a pool that never got a thread; their jobs have run, so
// this only frees them.
void pool_state::run_leftovers() noexcept {
  if (threads().thread_count() != 0) return;
  const auto finish = [this](detached_job* left) {
    const bool ends_later = left->ends_later;
    left->finish(left, detached_job::fate::run);
    if (!ends_later) jobs().end(worker_here());
  };
  for (const priority each : {priority::high, priority::normal, priority::background}) {
    while (detached_job* const left = injected().take(each)) finish(left);
  }
  for (slot& each : parking().all_slots()) {
    while (const auto left = each.ready.pop()) finish(*left);
  }
}

void pool_state::finish_and_join() noexcept {
  run_leftovers();
  constexpr std::uint64_t patience_ns = 5'000'000'000;
  if (base::current_simulation() == nullptr && !jobs().await_until(base::now_ns() + patience_ns))
    tell_what_is_awaited();
  jobs().await_until(timer::never);
  jobs().await_uses();
  monitor_.end();
  parking().shut_down();
  threads().join_all();
  if (external_source* const from = parking().source()) from->left_alone();
}

// -------------------------------------------------------------------------------------------------
// metrics
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

metrics_snapshot pool_state::metrics() const {
  metrics_snapshot snapshot;
  base::lock_guard guard{telling_};  // first: a later call must read later values
  snapshot.pool = number;
  snapshot.slot_count = threads().slot_count();
  snapshot.starvations = starvations_.load(base::relaxed);
  for (const slot& each : parking().all_slots()) snapshot.ready_jobs += each.ready.size_hint();
  const std::uint64_t now = base::ticks();
  const double factor = seconds_per_tick(clock().elapsed_ns(), clock().elapsed_ticks(now));
  for (unsigned i = 0; i < threads().worker_count(); ++i) {
    snapshot.workers.push_back(read_metrics(threads().at(i).reports.counters.read(), now, factor));
  }
  keep_growing(snapshot, told_);
  told_ = snapshot;
  return snapshot;
}

}  // namespace filch::sched
