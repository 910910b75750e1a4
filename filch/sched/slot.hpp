#pragma once
#include <filch/base/parker.hpp>
#include <filch/base/sync.hpp>
#include <filch/event/record.hpp>
#include <filch/policy/priority.hpp>
#include <filch/queue/deque.hpp>
#include <filch/sched/detached_job.hpp>
#include <filch/sched/slot_waiter.hpp>
#include <filch/sched/timer_queue.hpp>

namespace filch::inline v0_2::sched {

class parking_lot;

/// The permission to begin jobs. Its ready queue and timers stay with it when its holder changes.
struct FILCH_EXPORT slot {
  slot() = default;
  /// `room`: how many jobs its queue holds before it grows.
  explicit slot(std::size_t room) : ready{{.capacity = room}} {}

  queue::deque<detached_job*> ready;  ///< Owner: the holder of the slot. First in first out.
  timer_queue timers;                 ///< Started by holders of the slot.
  slot* next = nullptr;               ///< In the list of free slots. Guarded by the parking lock.
  unsigned jobs_taken = 0;            ///< Turns, also without a job: see `injector_every`.
  policy::priority_rotation rotation;
  /// In records. Set before any thread holds it; nobody: an overcommit slot, or the driver's.
  std::uint16_t number = event::record::nobody;
  /// The worker that has it, or had it last, for records. Writer: itself. Readers: thieves.
  base::atomic<std::uint16_t> holder{event::record::nobody};

  bool has_jobs() const noexcept { return ready.size_hint() != 0; }
  bool has_timers() const noexcept { return timers.first_ns() != timer::never; }
};

/// Every so many turns a worker looks at the injector before its own ready queue, so that neither
/// starves. Go's figure.
inline constexpr unsigned injector_every = 61;

struct slot_waiter : basic_slot_waiter<slot, base::parker> {
  /// The parking that grants the slot. Set before any thread may resume this.
  parking_lot* home = nullptr;
};

/// Grants a slot to a waiter suspended in any pool and wakes its thread.
void resume(slot_waiter& suspended) noexcept;

}  // namespace filch::sched
