#pragma once
#include <filch/base/cache_line.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/base/sync.hpp>

#include <cstddef>
#include <utility>

namespace filch::co::sync {

/// The values in a channel: its queue, and before that its *stock*, the oldest of them, which a
/// receiver that found the channel's lock held has taken along, so that receivers need not come to
/// that lock for each. It is filled under the channel's lock, and emptied under a lock of its own,
/// which is taken last; while room is awaited it is emptied under both. A template, so that the
/// model checkers read the text that ships. `Queue` is a `ring`.
template <class Sync, class Queue>
class basic_buffer {
 public:
  explicit basic_buffer(std::size_t capacity) noexcept : capacity_{capacity} {}

  // Without the channel's lock.
  /// How many there are. Relaxed: a look.
  std::size_t in_stock() const noexcept { return in_stock_.load(base::relaxed); }
  /// The oldest. False: there is none in the stock, or its room is awaited.
  template <class To>
  bool take_from_stock(To& to) noexcept {
    stock_lock_.lock();
    const bool is_taken = !is_room_awaited_.read() && pop_stock(to);
    stock_lock_.unlock();
    return is_taken;
  }

  // Under the channel's lock.
  bool is_queue_empty() const noexcept { return queue_.size() == 0; }
  /// Whether there is room whoever receives. If not there may be some nevertheless.
  bool looks_roomy() const noexcept { return queue_.size() + most_in_stock_ < capacity_; }
  /// Whether there may be something.
  bool may_hold_some() const noexcept { return most_in_stock_ > 0 || !is_queue_empty(); }
  /// Whether there may be room.
  bool may_have_room() const noexcept { return most_in_stock_ > 0 || looks_roomy(); }
  /// False: until the next `pop` there is none, whoever receives.
  bool has_room() noexcept {
    if (looks_roomy()) return true;
    if (most_in_stock_ == 0) return false;
    most_in_stock_ = size_of_stock_or_await_room();
    return looks_roomy();
  }
  /// Memory for as many as there may ever be, so that to push one takes none. Throws:
  /// `std::bad_alloc`.
  void grow_to_full_size() { queue_.reserve(capacity_); }
  /// Where there is room. Throws: `std::bad_alloc`; `value` is then as it was.
  template <class T>
  void push(T&& value) {
    queue_.push(std::forward<T>(value));
  }
  /// The oldest. False: there is none. Who awaits room is to ask for it once more.
  template <class To>
  bool pop(To& to) noexcept {
    if (most_in_stock_ > 0 && pop_stock_locked(to)) return true;
    if (is_queue_empty()) return false;
    queue_.pop(to);
    return true;
  }
  /// Makes the queue the stock, where that is empty. What is the queue then is of no smaller size;
  /// where there is no memory for that, nothing is done. Returns how many there are in the stock
  /// then, or 0 where it was not filled.
  std::size_t take_along(bool is_room_awaited) noexcept {
    // What is empty stays so under the channel's lock
    if (is_queue_empty() || in_stock() > 0) return 0;
    stock_lock_.lock();
    FILCH_TRY {
      stock_.reserve(queue_.room());
      stock_.swap(queue_);
    }
    FILCH_CATCH_ALL {}
    most_in_stock_ = note_stock();
    is_room_awaited_.write(is_room_awaited);
    stock_lock_.unlock();
    return most_in_stock_;
  }

 private:
  template <class To>
  bool pop_stock_locked(To& to) noexcept {
    stock_lock_.lock();
    is_room_awaited_.write(false);
    const bool is_taken = pop_stock(to);
    most_in_stock_ = stock_.size();
    stock_lock_.unlock();
    return is_taken;
  }
  std::size_t size_of_stock_or_await_room() noexcept {
    stock_lock_.lock();
    const std::size_t size = stock_.size();
    if (queue_.size() + size >= capacity_) is_room_awaited_.write(true);
    stock_lock_.unlock();
    return size;
  }

  // Under the lock of the stock.
  template <class To>
  bool pop_stock(To& to) noexcept {
    if (stock_.size() == 0) return false;
    stock_.pop(to);
    note_stock();
    return true;
  }
  std::size_t note_stock() noexcept {
    in_stock_.store(stock_.size(), base::relaxed);  // relaxed: for looks
    return stock_.size();
  }

  const std::size_t capacity_;
  /// Younger than those in stock. Guarded by the channel's lock.
  Queue queue_;
  /// There are no more than that, and none if it is 0. The same.
  std::size_t most_in_stock_ = 0;
  // Who receives from the stock takes no line from who sends
  [[maybe_unused]] char between_[base::cache_line_bytes];
  typename Sync::mutex stock_lock_;
  typename Sync::template plain<bool> is_room_awaited_{false};  ///< Guarded by `stock_lock_`.
  /// Writers: under `stock_lock_`. Readers: any, for a look.
  typename Sync::template atomic<std::size_t> in_stock_{0};
  Queue stock_;  ///< Guarded by `stock_lock_`, and filled under the channel's as well.
};

}  // namespace filch::co::sync
