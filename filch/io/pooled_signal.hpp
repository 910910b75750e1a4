#pragma once
#include <filch/base/language.hpp>

#include <asio/cancellation_signal.hpp>

#include <utility>

namespace filch::inline v0_2::io {

/// A signal that cancels an operation, from those that its thread keeps.
///
/// Asio takes memory for each operation that can be cancelled, and leaves it in the signal. An
/// operation with a used signal needs no new memory.
class pooled_signal {
 public:
  pooled_signal() : mine_{take()} {}
  pooled_signal(const pooled_signal&) = delete;
  pooled_signal& operator=(const pooled_signal&) = delete;
  // Not inline, like `take`, as compilers keep addresses of thread-local variables across
  // suspensions, also in Asio's coroutines.
  [[gnu::noinline]] ~pooled_signal() {
    forget_operation();
    give_back();
  }

  asio::cancellation_signal* operator->() const noexcept { return &mine_->signal; }

 private:
  struct node {
    asio::cancellation_signal signal;
    node* next = nullptr;
  };
  /// The signals that a thread keeps, and for how many more there is room. No destructor: a signal
  /// that ends after the thread's other variables finds no room.
  struct store {
    node* first;
    unsigned room;
  };
  struct closer {
    ~closer() {
      kept.room = 0;
      while (kept.first != nullptr) delete std::exchange(kept.first, kept.first->next);
    }
  };
  /// Replaces the handler that cancels an operation, which may own anything.
  struct nothing {
    void operator()(asio::cancellation_type) const noexcept {}
  };

  [[gnu::noinline]] static node* take() {
    if (kept.first == nullptr) return new node;
    ++kept.room;
    return std::exchange(kept.first, kept.first->next);
  }
  // Perhaps on another thread than `take`, and as the first there.
  void give_back() noexcept {
    if (kept.room == 0) return delete mine_;
    static thread_local closer closes;
    static_cast<void>(closes);
    --kept.room;
    mine_->next = std::exchange(kept.first, mine_);
  }
  // Never allocates: `nothing` fits into the memory of any handler that was there.
  void forget_operation() noexcept {
    if (mine_->signal.slot().has_handler()) mine_->signal.slot().emplace<nothing>();
  }

  static inline constinit thread_local store kept{nullptr, 64};
  node* const mine_;
};

}  // namespace filch::io
