#pragma once

namespace filch::sched {

class worker;

/// A worker runs callbacks of its pool's source, without a slot: what they submit comes from outside, but from nobody that the pool could refuse.
class sitting {
 public:
  explicit sitting(worker& me) noexcept;
  ~sitting();
  sitting(const sitting&) = delete;
  sitting& operator=(const sitting&) = delete;

 private:
  worker& me_;
};

}  // namespace filch::sched
