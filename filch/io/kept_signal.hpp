#pragma once
#include <asio/cancellation_signal.hpp>

#include <memory>
#include <utility>

namespace filch::io {

/// A signal by which an operation is cancelled, of those that its thread keeps.
///
/// Asio takes memory for each operation that can be cancelled, and leaves it in the signal: what begins with one that others have had needs no new memory.
class kept_signal {
 public:
  kept_signal() : mine_{take()} {}
  kept_signal(const kept_signal&) = delete;
  kept_signal& operator=(const kept_signal&) = delete;
  // In functions of their own, this and `take`, as compilers keep addresses of a thread's variables across suspensions, Asio's too.
  [[gnu::noinline]] ~kept_signal() {
    forget_operation();
    give_back();
  }

  asio::cancellation_signal* operator->() const noexcept { return &mine_->signal; }

 private:
  struct node {
    asio::cancellation_signal signal;
    std::unique_ptr<node> next;
  };
  /// What a thread keeps, until it ends.
  struct store {
    ~store() {
      room = 0;
      while (first) first = std::move(first->next);
    }
    std::unique_ptr<node> first;
    unsigned room = 64;
  };
  /// Takes the place of what cancels an operation, which may own anything.
  struct nothing {
    void operator()(asio::cancellation_type) const noexcept {}
  };

  [[gnu::noinline]] static std::unique_ptr<node> take() {
    store& kept = of_thread();
    if (!kept.first) return std::make_unique<node>();
    ++kept.room;
    return std::exchange(kept.first, std::move(kept.first->next));
  }
  void give_back() noexcept {
    store& kept = of_thread();
    if (kept.room == 0) return;
    --kept.room;
    mine_->next = std::move(kept.first);
    kept.first = std::move(mine_);
  }
  static store& of_thread() noexcept {
    static thread_local store kept;
    return kept;
  }
  // Never needs memory: there is some already, and nothing is smaller.
  void forget_operation() noexcept {
    if (mine_->signal.slot().has_handler()) mine_->signal.slot().emplace<nothing>();
  }

  std::unique_ptr<node> mine_;
};

}  // namespace filch::io
