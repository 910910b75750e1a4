#pragma once
#include <filch/sched/external_scope.hpp>

namespace filch::sched {

/// A worker runs callbacks of its pool's source, without a slot: what they submit comes from
/// outside, but from nobody that the pool could refuse.
class poll_scope : left_slot {
 public:
  explicit poll_scope(worker& me) noexcept;
  ~poll_scope();
  poll_scope(const poll_scope&) = delete;
  poll_scope& operator=(const poll_scope&) = delete;
};

}  // namespace filch::sched
