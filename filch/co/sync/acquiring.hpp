#pragma once
#include <filch/co/sync/permits.hpp>
#include <filch/co/sync/waiting.hpp>

namespace filch::co::sync {

using permits = basic_permits<base::real_sync>;

/// An operation that takes one permit. `Operation` says what its await gives.
template <class Operation>
class acquiring : public waiting<Operation> {
 public:
  explicit acquiring(permits& from) noexcept : waiting<Operation>{from.lock()}, from_{from} {}
  bool try_at_once() noexcept { return from_.try_acquire(); }
  bool try_or_list() noexcept { return from_.acquire_or_list(*this); }
  bool try_locked(served_chain&) noexcept { return from_.acquire_or_mark(); }
  void list() noexcept { from_.list(*this); }

 private:
  permits& from_;
};

/// Puts `count` permits back, and wakes those whom they were handed to. These come last: one of them may end the permits.
inline void put_back(permits& to, std::size_t count = 1) noexcept {
  served_chain served;
  while (count > 0) served.append(to.release(count));
  wake_all(served);
}

}  // namespace filch::co::sync
