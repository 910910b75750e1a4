#pragma once
#include <filch/base/stop_token.hpp>
#include <filch/base/sync.hpp>
#include <filch/co/sync/edges.hpp>

#include <cstdint>

namespace filch::co::sync {

/// Where a task that waits meets who asks it to stop. The task arms it with its waiter before each wait and disarms it after; who asks
/// comes once, at any time. A template, so that the model checkers read the text that ships.
template <class Sync, class Waiter>
class basic_interrupt {
 public:
  /// The task, before it is listed anywhere. False: it was asked to stop already.
  bool arm(Waiter& waits) noexcept {
    std::uintptr_t found = nobody;
    return word_.compare_exchange(found, reinterpret_cast<std::uintptr_t>(&waits), base::release<edge::arm>);
  }
  /// The task, after its wait. Afterwards nobody else touches `waits`.
  void disarm(Waiter& waits) noexcept {
    std::uintptr_t found = reinterpret_cast<std::uintptr_t>(&waits);
    if (word_.compare_exchange(found, nobody, base::relaxed)) return;  // relaxed: nobody has looked
    busy_.lock();                                                      // until who asks is done with it
    busy_.unlock();
  }
  /// Who asks, once: does `interrupt` to who waits, if somebody does.
  template <class F>
  void ask(F interrupt) noexcept {
    busy_.lock();
    if (const std::uintptr_t found = word_.exchange(asked, base::acquire<edge::arm>); found != nobody) {
      interrupt(*reinterpret_cast<Waiter*>(found));
    }
    busy_.unlock();
  }

 private:
  enum : std::uintptr_t { nobody = 0, asked = 1 };               // else the address of the waiter
  typename Sync::template atomic<std::uintptr_t> word_{nobody};  ///< Writers: the task, who asks. Only by RMW.
  typename Sync::mutex busy_;                                    ///< Held by who asks.
};

class wait_node;

/// The same of a root, told by its stop source. Made at the first wait of the root and kept until its frame goes.
class interrupt_point {
 public:
  explicit interrupt_point(std::stop_token token) : callback_{std::move(token), call{meeting_}} {}
  bool arm(wait_node& waits) noexcept { return meeting_.arm(waits); }
  void disarm(wait_node& waits) noexcept { meeting_.disarm(waits); }

 private:
  using meeting = basic_interrupt<base::real_sync, wait_node>;
  struct call {
    meeting& at;
    void operator()() const noexcept;
  };
  meeting meeting_;
  base::stop_callback<call> callback_;
};

}  // namespace filch::co::sync
