#pragma once
#include <filch/base/atomic.hpp>
#include <filch/base/order.hpp>

namespace filch::inline v0_2::sched {

/// Which submissions a pool accepts. Threads: any.
class admission {
 public:
  /// From now on none; what has not begun is discarded.
  // Relaxed: what it stops is a matter of timing anyway
  void request_stop() noexcept { accepts_.store(accepts::nothing, base::relaxed); }
  bool is_stopped() const noexcept { return accepts_.load(base::relaxed) == accepts::nothing; }
  /// From now on only those of the pool's own jobs, unless it is stopped.
  void refuse_outsiders() noexcept {
    accepts before = accepts::all;
    accepts_.compare_exchange(before, accepts::own, base::relaxed);  // relaxed: as `request_stop`
  }
  bool refuses_outsiders() const noexcept { return accepts_.load(base::relaxed) != accepts::all; }

 private:
  enum class accepts : unsigned char { all, own, nothing };
  base::atomic<accepts> accepts_{accepts::all};  ///< Writers: any. Readers: any.
};

}  // namespace filch::sched
