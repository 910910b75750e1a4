#pragma once
#include <filch/sched/parking/parking_lot.hpp>
#include <filch/sched/worker/injectors.hpp>

namespace filch::inline v0_2::sched {

class thread_table;

/// What work waits in a pool, and how idle threads ask for it. Threads: any.
class demand {
 public:
  demand(parking_lot& parking, const injectors& injected, const thread_table& threads) noexcept
      : parking_{parking}, injected_{injected}, threads_{threads} {}

  /// True when a submitted job has not begun, not counting the ready queue of `but_in`.
  FILCH_EXPORT bool detached_waits(const slot* but_in = nullptr) const noexcept;
  /// True when a thief would find a job without a request.
  FILCH_EXPORT bool is_visible() const noexcept;
  /// True when some worker has forked jobs, public or private.
  FILCH_EXPORT bool forks_wait() const noexcept;
  /// True when a thread without a slot has a use for one, or may have at any moment.
  bool could_use_a_slot() const noexcept {
    return parking_.awaits_something() || parking_.is_over_limit() || detached_waits() ||
           forks_wait();
  }
  /// Leaves a standing request with all workers, and with those to come.
  FILCH_EXPORT void request_from_all() noexcept;
  /// After a slot became free, by `giver` if not null: wakes a worker for it if there is work, else
  /// requests work. `held` slots are the caller's own: it sees the request itself. Jobs in the
  /// ready queue of `but_in` need no worker.
  void offer_slot(sleeper* giver, std::uint32_t held = 0, const slot* but_in = nullptr) noexcept;

 private:
  parking_lot& parking_;
  const injectors& injected_;
  const thread_table& threads_;
};

}  // namespace filch::sched
