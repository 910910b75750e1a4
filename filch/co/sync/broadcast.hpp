#pragma once
#include <filch/base/panic.hpp>
#include <filch/co/sync/send_outcome.hpp>
#include <filch/co/sync/waiting.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace filch::inline v0_2 {

/// The result of a receive from a broadcast.
template <class T>
struct broadcast_value {
  /// The same object for all receivers. Null: the broadcast is closed, and there is no more.
  std::shared_ptr<const T> value;
  /// How many values before this one were overwritten before this receiver took them.
  std::uint64_t missed = 0;

  explicit operator bool() const noexcept { return value != nullptr; }
  const T& operator*() const noexcept { return *value; }
  const T* operator->() const noexcept { return value.get(); }
};

/// Gives each value to every receiver that was subscribed when it was sent. `auto r =
/// b.subscribe();`, then `co_await r.receive()`, or `filch::wait(r.receive())`.
///
/// Keeps the last `capacity` values. A sender never waits: it overwrites the oldest. A receiver
/// that had not taken that value goes on with the oldest that is left, and is told how many it
/// missed. So a slow receiver delays no other task. If no value may be missed, give each receiver a
/// `channel`. Closed, it takes no more values; receivers get what is there, then none.
/// Turns:   a receiver that never has to wait yields once in some thousand values.
/// Cost: a send one allocation and a lock, some 50 ns, and a turn in the ready queue for each
/// waiting receiver; a receive a lock and a reference count. The constructor allocates `capacity`
/// pointers. Values live until they are overwritten and no receiver holds them.
/// Blocks:  never a coroutine's thread; `send` never.
/// Threads: any; one receiver is used by one at a time.
/// Throws: an await `co::cancelled`, and then nothing was taken; `send` `std::bad_alloc` and what
/// making a T throws, and then nothing was sent.
/// Lifetime: outlives its receivers' last operation. No receiver waits when it is destroyed.
/// Example: examples/sync_primitives.cpp
template <class T>
class broadcast {
 public:
  /// `capacity` is at least 1. Throws: `std::bad_alloc`.
  explicit broadcast(std::size_t capacity)
      : capacity_{capacity}, last_{std::make_unique<std::shared_ptr<const T>[]>(capacity)} {
    FILCH_ASSERT(capacity > 0, "a broadcast keeps the last value at least", capacity);
  }
  broadcast(const broadcast&) = delete;
  broadcast& operator=(const broadcast&) = delete;

  /// A position in the stream of values. A copy goes on from the same position, independently.
  class receiver {
   public:
    class [[nodiscard]] receiving : public co::sync::waiting<receiving> {
     public:
      explicit receiving(receiver& by) noexcept
          : co::sync::waiting<receiving>{by.from_->lock_}, by_{by} {}
      ~receiving() { this->leave(); }
      bool try_at_once() noexcept { return !by_.is_turn_over() && by_.take_now(found_); }
      bool try_for_others() noexcept { return by_.is_turn_over() && by_.take_in_next_turn(found_); }
      bool try_locked(co::sync::served_chain&) noexcept
          FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
        return by_.from_->take(by_.next_, found_);
      }
      void list(co::sync::served_chain&) noexcept
          FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
        by_.from_->waiting_.push_back(*this);
      }
      base::awaited awaited() const noexcept { return {"a value from broadcast", by_.from_}; }
      broadcast_value<T> result() noexcept { return std::exchange(found_, {}); }

     private:
      receiver& by_;
      broadcast_value<T> found_;
      friend broadcast;
    };
    /// The next value, or none once it is closed. One at a time; the receiver must not move
    /// meanwhile.
    receiving receive() noexcept { return receiving{*this}; }
    /// The same without waiting: empty if there is none yet.
    broadcast_value<T> try_receive() noexcept {
      broadcast_value<T> found;
      take_now(found);
      return found;
    }

   private:
    bool is_turn_over() const noexcept { return in_turn_ >= co::sync::operations_in_turn; }
    bool take_now(broadcast_value<T>& to) noexcept {
      ++in_turn_;
      base::lock_guard guard{from_->lock_};
      return from_->take(next_, to);
    }
    bool take_in_next_turn(broadcast_value<T>& to) noexcept {
      in_turn_ = 0;
      return take_now(to);
    }
    receiver(broadcast& from, std::uint64_t next) noexcept : from_{&from}, next_{next} {}
    broadcast* from_;
    /// The number of the value that comes next. Guarded by the lock while `receive` waits.
    std::uint64_t next_;
    unsigned in_turn_ = 0;  ///< Receives since it last yielded.
    friend broadcast;
  };
  /// A receiver of what is sent from now on.
  receiver subscribe() noexcept {
    base::lock_guard guard{lock_};
    return {*this, sent_};
  }
  /// If it is closed, the outcome gives the value back.
  send_outcome<T> send(T value) {
    std::shared_ptr<T> made = std::make_shared<T>(std::move(value));
    T& back = *made;
    // Holds the overwritten value until the lock is released
    std::shared_ptr<const T> added = std::move(made);
    co::sync::served_chain served;
    {
      base::lock_guard guard{lock_};
      if (is_closed_) return {send_result::closed, std::move(back)};
      at(sent_).swap(added);
      ++sent_;
      serve_all(served);
    }
    wake_all(served);
    return {};
  }
  /// From now on nothing is sent. Receivers get the values that are left, then none.
  void close() noexcept {
    co::sync::served_chain served;
    {
      base::lock_guard guard{lock_};
      is_closed_ = true;
      serve_all(served);
    }
    wake_all(served);
  }

 private:
  std::shared_ptr<const T>& at(std::uint64_t number) noexcept FILCH_REQUIRES(lock_) {
    return last_[number % capacity_];
  }
  /// False: there is nothing yet.
  bool take(std::uint64_t& next, broadcast_value<T>& to) noexcept FILCH_REQUIRES(lock_) {
    if (next == sent_) return is_closed_;
    to.missed = sent_ - next > capacity_ ? sent_ - next - capacity_ : 0;
    next += to.missed;
    to.value = at(next++);
    return true;
  }
  void serve_all(co::sync::served_chain& served) noexcept FILCH_REQUIRES(lock_) {
    while (co::sync::wait_link* const link = waiting_.serve_first()) {
      auto& each = static_cast<typename receiver::receiving&>(*link);
      take(each.by_.next_, each.found_);
      served.add(link);
    }
  }

  base::mutex lock_;
  const std::size_t capacity_;
  /// Value number n stands at n modulo the capacity.
  std::unique_ptr<std::shared_ptr<const T>[]> last_ FILCH_GUARDED_BY(lock_);
  std::uint64_t sent_ FILCH_GUARDED_BY(lock_) = 0;
  bool is_closed_ FILCH_GUARDED_BY(lock_) = false;
  co::sync::wait_list waiting_ FILCH_GUARDED_BY(lock_);
};

}  // namespace filch
