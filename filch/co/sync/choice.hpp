#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/sync/wait_list.hpp>

namespace filch::co::sync {

/// The first to claim it ends the wait. A template, so that the model checkers read the text that
/// ships.
template <class Sync>
class basic_choice final : public choice {
 public:
  bool claim(wait_link& ends) noexcept override {
    wait_link* nobody = nullptr;
    // Relaxed: who waited reads it after its wake
    return first_.compare_exchange(nobody, &ends, base::relaxed);
  }
  /// Who ended the wait, once it has ended.
  wait_link* first() const noexcept { return first_.load(base::relaxed); }  // relaxed: as above
  /// While nobody is listed.
  // Relaxed: the next are listed under locks
  void reset() noexcept { first_.store(nullptr, base::relaxed); }

 private:
  /// Writers: all who end waits, by RMW.
  typename Sync::template atomic<wait_link*> first_{nullptr};
};

}  // namespace filch::co::sync
