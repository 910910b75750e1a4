#pragma once

namespace filch::sched {

/// Whoever wants a slot. All but the parker is guarded by the lock of the exchange where it stands, until the parker's token is taken.
template <class Slot, class Parker>
struct basic_slot_claim {
  Slot* granted = nullptr;           ///< The slot held.
  Parker parker;                     ///< Wakes the holder of this claim.
  basic_slot_claim* next = nullptr;  ///< In the line of those who wait.
  bool may_take_extra =
      false;                  ///< It had the extra slot, and so may have it again. Written by its thread, or while that sleeps.
  bool is_suspended = false;  ///< Gave its slot away until `resume`.
  bool was_resumed = false;   ///< `resume` came before the slot was given away.
};

}  // namespace filch::sched
