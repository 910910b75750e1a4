#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/sync/wait_list.hpp>

namespace filch::inline v0_2::co::sync {

/// The first claim ends the wait. A template, so that the model checkers run the code that ships.
template <class Sync>
class basic_choice final : public choice {
 public:
  bool claim(wait_link& ends) noexcept override {
    wait_link* nobody = nullptr;
    // Relaxed: the waiter reads it after its wake
    return first_.compare_exchange(nobody, &ends, base::relaxed);
  }
  /// The case that ended the wait, once it has ended.
  wait_link* first() const noexcept { return first_.load(base::relaxed); }  // relaxed: as above
  /// Call while no case is listed.
  // Relaxed: the next cases are listed under locks
  void reset() noexcept { first_.store(nullptr, base::relaxed); }

 private:
  /// Writers: `claim`, by RMW; `reset`. Readers: the waiter.
  typename Sync::template atomic<wait_link*> first_{nullptr};
};

}  // namespace filch::co::sync
