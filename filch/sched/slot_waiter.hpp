#pragma once
#include <filch/base/language.hpp>

namespace filch::sched {

/// A thread's right to a slot. All but the parker is guarded by the lock of the exchange that
/// grants the slot, until the parker's token is taken.
template <class Slot, class Parker>
struct basic_slot_waiter {
  Slot* granted = nullptr;  ///< The slot held.
  /// The overcommit slot of this claim: granted when every other slot is taken. Never null.
  Slot* own = nullptr;
  Parker parker;  ///< Wakes the holder of this claim.
  /// Its thread belongs to the user, who brought the processor time for it.
  bool is_external = false;
  bool is_suspended = false;  ///< Gave its slot away until `resume`.
  bool was_resumed = false;   ///< `resume` came before the slot was given away.

  bool is_overcommitted() const noexcept { return granted == own; }
};

}  // namespace filch::sched
