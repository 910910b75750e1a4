#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/sync/wait_list.hpp>

namespace filch::co::sync {

/// The first to claim it ends the wait. A template, so that the model checkers read the text that ships.
template <class Sync>
class basic_choice final : public choice {
 public:
  bool claim(wait_link& ends) noexcept override {
    wait_link* nobody = nullptr;
    return first_.compare_exchange(nobody, &ends, base::relaxed);  // relaxed: who waited reads it after its wake
  }
  /// Who ended the wait, once it has ended.
  wait_link* first() const noexcept { return first_.load(base::relaxed); }  // relaxed: as above
  /// While nobody is listed.
  void reset() noexcept { first_.store(nullptr, base::relaxed); }  // relaxed: the next are listed under locks

 private:
  typename Sync::template atomic<wait_link*> first_{nullptr};  ///< Writers: all who end waits, by RMW.
};

}  // namespace filch::co::sync
