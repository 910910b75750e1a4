#pragma once
#include <filch/base/language.hpp>

namespace filch::inline v0_2::sched {

/// A slot waiter: a thread's right to a slot, which it holds or waits for. All but the parker is
/// guarded by the lock of the slot allocator that grants the slot, until the parker's token is
/// taken.
template <class Slot, class Parker>
struct basic_slot_waiter {
  Slot* granted = nullptr;  ///< The slot held.
  /// Its overcommit slot: granted when it can have no regular one. Never null.
  Slot* own = nullptr;
  Parker parker;  ///< Wakes its thread.
  /// Its thread is an external one, which brought its own processor time.
  bool is_external = false;
  bool is_suspended = false;  ///< Gave its slot away until `resume`.
  bool was_resumed = false;   ///< `resume` came before the slot was given away.

  bool holds_slot() const noexcept { return granted != nullptr; }
  bool is_overcommitted() const noexcept { return granted == own; }
  /// Whether its slot has a ready queue and timers. Its own overcommit slot has none: it is given
  /// up between two jobs, with nothing left in it.
  bool has_queues() const noexcept { return holds_slot() && !is_overcommitted(); }
};

}  // namespace filch::sched
