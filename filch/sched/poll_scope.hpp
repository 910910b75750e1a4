#pragma once
#include <filch/sched/external_scope.hpp>

namespace filch::sched {

/// The scope of callbacks: a worker runs callbacks of its pool's event source, or of the user,
/// without a slot. Jobs they submit come as from outside, and the pool does not refuse them.
class poll_scope : left_slot {
 public:
  explicit poll_scope(worker& me) noexcept;
  ~poll_scope();
  poll_scope(const poll_scope&) = delete;
  poll_scope& operator=(const poll_scope&) = delete;
};

}  // namespace filch::sched
