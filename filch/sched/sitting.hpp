#pragma once
#include <filch/sched/visit.hpp>

namespace filch::sched {

/// A worker runs callbacks of its pool's source, without a slot: what they submit comes from
/// outside, but from nobody that the pool could refuse.
class sitting : place_left {
 public:
  explicit sitting(worker& me) noexcept;
  ~sitting();
  sitting(const sitting&) = delete;
  sitting& operator=(const sitting&) = delete;
};

}  // namespace filch::sched
