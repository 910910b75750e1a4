#pragma once
#include <filch/sched/current.hpp>

namespace filch::inline v0_2::sched {

/// A call on this thread that runs without a slot. It lies on the stack and links to the outer one.
class left_slot {
  friend class blocking_region;
  friend class poll_scope;
  left_slot(pool_stack* of, bool polls) noexcept;

  FILCH_TLS_INITIAL_EXEC static constinit thread_local const left_slot* innermost;

  pool_stack* const left_;
  const left_slot* const outer_;
  /// True in a callback of the pool (`poll_scope`): its worker has no slot to come back to.
  const bool polls_;
};

/// The scope of callbacks that a worker calls as a thread without a slot: `wait_for` of its pool's
/// event source, `on_thread_start` and `on_thread_stop` of the user. Jobs they submit come as from
/// outside, and the pool does not refuse them. `external_source::poll` is called with a slot, so
/// not in this scope.
class poll_scope : left_slot {
 public:
  explicit poll_scope(pool_stack& me) noexcept;
  ~poll_scope();
  poll_scope(const poll_scope&) = delete;
  poll_scope& operator=(const poll_scope&) = delete;
};

}  // namespace filch::sched
