#pragma once
#include <filch/base/cache_line.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/base/sync.hpp>

#include <cstddef>
#include <utility>

namespace filch::inline v0_2::co::sync {

/// The values in a channel: its queue, and before that its *stock*, the oldest values. A receiver
/// that found the channel's lock held has taken the stock along, so that receivers need not take
/// that lock for each value. The stock is filled under the channel's lock, and emptied under a lock
/// of its own, which is taken last. While room is awaited it is emptied under both. A template, so
/// that the model checkers run the code that ships. `Queue` is a `ring`.
template <class Sync, class Queue>
class basic_buffer {
 public:
  explicit basic_buffer(std::size_t capacity) noexcept : capacity_{capacity} {}

  // Without the channel's lock.
  /// How many there are. Relaxed: a look.
  std::size_t in_stock() const noexcept { return in_stock_.load(base::relaxed); }
  /// The oldest. False: the stock is empty, or room is awaited.
  template <class To>
  bool take_from_stock(To& to) noexcept {
    stock_lock_.lock();
    const bool is_taken = !is_room_awaited_.read() && pop_stock(to);
    stock_lock_.unlock();
    return is_taken;
  }

  // Under the channel's lock.
  bool is_queue_empty() const noexcept { return queue_.size() == 0; }
  /// True: there is room. False: there may be, as receivers empty the stock meanwhile.
  bool looks_roomy() const noexcept { return queue_.size() + most_in_stock_ < capacity_; }
  /// Whether there may be a value.
  bool may_hold_some() const noexcept { return most_in_stock_ > 0 || !is_queue_empty(); }
  /// Whether there may be room.
  bool may_have_room() const noexcept { return most_in_stock_ > 0 || looks_roomy(); }
  /// False: until the next `pop` there is none, whatever receivers do.
  bool has_room() noexcept {
    if (looks_roomy()) return true;
    if (most_in_stock_ == 0) return false;
    most_in_stock_ = size_of_stock_or_await_room();
    return looks_roomy();
  }
  /// Allocates for `capacity` values, so that `push` allocates nothing. Throws: `std::bad_alloc`.
  void grow_to_full_size() { queue_.reserve(capacity_); }
  /// Only if there is room. Throws: `std::bad_alloc`; `value` is then as it was.
  template <class T>
  void push(T&& value) {
    queue_.push(std::forward<T>(value));
  }
  /// The oldest. False: there is none. Ends `is_room_awaited_`: a sender that awaits room must call
  /// `has_room` again.
  template <class To>
  bool pop(To& to) noexcept {
    if (most_in_stock_ > 0 && pop_stock_locked(to)) return true;
    if (is_queue_empty()) return false;
    queue_.pop(to);
    return true;
  }
  /// Makes the queue the stock, if the stock is empty. The new queue has room for as many; if there
  /// is no memory for that, nothing happens. Returns the number of values in the stock, or 0 if it
  /// was not filled.
  std::size_t take_along(bool is_room_awaited) noexcept {
    // An empty stock stays empty under the channel's lock
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
  /// Younger than the stock. Guarded by the channel's lock.
  Queue queue_;
  /// An upper bound of the stock, recounted only if it says full. Guarded by the channel's lock.
  std::size_t most_in_stock_ = 0;
  // So that receivers from the stock take no cache line from senders
  [[maybe_unused]] char between_[base::cache_line_bytes];
  typename Sync::mutex stock_lock_;
  typename Sync::template plain<bool> is_room_awaited_{false};  ///< Guarded by `stock_lock_`.
  /// Writers: under `stock_lock_`. Readers: any, for a look.
  typename Sync::template atomic<std::size_t> in_stock_{0};
  Queue stock_;  ///< Guarded by `stock_lock_`, and filled under the channel's as well.
};

}  // namespace filch::co::sync
