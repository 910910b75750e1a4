#pragma once
#include <filch/base/atomic.hpp>
#include <filch/co/sync/ring.hpp>
#include <filch/co/sync/waiting.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

namespace filch {

/// What has become of a value that was sent. `would_wait` is what `try_send` says where there is no room.
enum class [[nodiscard]] send_result : unsigned char{sent, closed, would_wait};

/// As the capacity of a channel: there is always room.
inline constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

/// A queue between any number of senders and receivers. `co_await c.send(value)` and `co_await c.receive()`, or `filch::wait(c.send(value))`.
///
/// Holds up to `capacity` values, for which memory is taken as they come and kept. With capacity 0 a send waits until its value is received; with
/// `unbounded` it never waits. Values come out in the order in which they went in, and who waits is served in order of arrival.
/// Closed, it takes no more values: a send gives `send_result::closed`, one that waits too, and its value is dropped. What is in the channel is still received;
/// then a receive gives no value.
/// Cost:    a lock, some 20 ns, each way; where it waits, a suspension and a turn in the ready queue. No allocation but that of the queue.
/// Blocks:  never a coroutine's thread.
/// Threads: any.
/// Throws:  an await `co::cancelled`, and then no value was sent or taken; `std::bad_alloc`, where the queue cannot grow or at the first wait of a task.
/// Lifetime: outlives its last operation. Nobody waits at it when it is destroyed; values that are in it go with it.
template <class T>
class channel {
 public:
  explicit channel(std::size_t capacity) noexcept : capacity_{capacity}, can_send_{capacity > 0} {}
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  class sending : public co::sync::waiting<sending> {
   public:
    sending(channel& to, T&& value) noexcept : co::sync::waiting<sending>{to.lock_}, to_{to}, value_{std::move(value)} {}
    ~sending() { this->leave(); }
    bool try_at_once() { return to_.looks_ready(to_.can_send_) && to_.send_now(value_, result_); }
    bool try_or_list() noexcept { return to_.send_or_list(*this); }
    send_result result() const noexcept { return result_; }

   private:
    channel& to_;
    T value_;
    send_result result_ = send_result::closed;  ///< Until it is said to be sent.
    friend channel;
  };
  class receiving : public co::sync::waiting<receiving> {
   public:
    explicit receiving(channel& from) noexcept : co::sync::waiting<receiving>{from.lock_}, from_{from} {}
    ~receiving() { this->leave(); }
    bool try_at_once() noexcept { return from_.looks_ready(from_.can_receive_) && from_.receive_now(value_); }
    bool try_or_list() noexcept { return from_.receive_or_list(*this); }
    std::optional<T> result() noexcept { return std::move(value_); }

   private:
    channel& from_;
    std::optional<T> value_;
    friend channel;
  };

  sending send(T value) noexcept { return sending{*this, std::move(value)}; }
  /// Gives no value once the channel is closed and empty.
  receiving receive() noexcept { return receiving{*this}; }
  /// `value` is moved from only where it was sent.
  send_result try_send(T&& value) {
    send_result result = send_result::would_wait;
    send_now(value, result);
    return result;
  }
  /// As `try_send`, and closes if the value was sent. Both at once: whoever receives it may destroy the channel.
  send_result try_send_last(T&& value) {
    send_result result = send_result::would_wait;
    co::sync::served_chain served;
    {
      base::lock_guard guard{lock_};
      co::sync::wait_link* receives = nullptr;
      put(value, result, receives);
      served.add(receives);
      if (result == send_result::sent) close(served);
    }
    wake_all(served);
    return result;
  }
  /// Gives no value where there is none now.
  std::optional<T> try_receive() noexcept {
    std::optional<T> found;
    receive_now(found);
    return found;
  }
  void close() noexcept {
    co::sync::served_chain served;
    {
      base::lock_guard guard{lock_};
      close(served);
    }
    wake_all(served);
  }
  bool is_closed() const noexcept {
    base::lock_guard guard{lock_};
    return is_closed_;
  }

 private:
  /// Relaxed: a look. Who finds nothing looks again under the lock before it waits.
  static bool looks_ready(const base::atomic<bool>& can) noexcept { return can.load(base::relaxed); }
  void note() noexcept FILCH_REQUIRES(lock_) {
    can_send_.store(is_closed_ || !receivers_.is_empty() || queue_.size() < capacity_, base::relaxed);
    can_receive_.store(is_closed_ || !senders_.is_empty() || queue_.size() > 0, base::relaxed);
  }

  void close(co::sync::served_chain& served) noexcept FILCH_REQUIRES(lock_) {
    is_closed_ = true;
    served.add_all(receivers_);
    served.add_all(senders_);
    note();
  }
  /// False: there is no room.
  bool put(T& value, send_result& result, co::sync::wait_link*& served) FILCH_REQUIRES(lock_) {
    if (is_closed_) {
      result = send_result::closed;
      return true;
    }
    served = receivers_.serve_first();
    if (served != nullptr) {
      static_cast<receiving*>(served)->value_.emplace(std::move(value));
    } else if (queue_.size() < capacity_) {
      queue_.push(std::move(value));
    } else {
      return false;
    }
    result = send_result::sent;
    return true;
  }
  /// False: there is nothing, but there may come something.
  bool take(std::optional<T>& to, co::sync::wait_link*& served) noexcept FILCH_REQUIRES(lock_) {
    served = senders_.serve_first();  // of whom there are some only where the queue is full
    sending* const sender = static_cast<sending*>(served);
    if (queue_.size() > 0) {
      queue_.pop(to);
      if (sender != nullptr) queue_.push(std::move(sender->value_));  // into the room that has just become free
    } else if (sender != nullptr) {
      to.emplace(std::move(sender->value_));
    } else {
      return is_closed_;
    }
    if (sender != nullptr) sender->result_ = send_result::sent;
    return true;
  }

  bool send_now(T& value, send_result& result) {
    co::sync::wait_link* served = nullptr;
    bool is_done = false;
    {
      base::lock_guard guard{lock_};
      is_done = put(value, result, served);
      note();
    }
    wake(served);
    return is_done;
  }
  bool receive_now(std::optional<T>& to) noexcept {
    co::sync::wait_link* served = nullptr;
    bool is_done = false;
    {
      base::lock_guard guard{lock_};
      is_done = take(to, served);
      note();
    }
    wake(served);
    return is_done;
  }
  // A queue that was full has room for as many as then: nothing is allocated here.
  bool send_or_list(sending& waits) noexcept {
    co::sync::wait_link* served = nullptr;
    bool is_settled = false;
    {
      base::lock_guard guard{lock_};
      if (waits.at == co::sync::wait_link::stage::interrupted) return true;
      is_settled = senders_.settle_or_list(waits, put(waits.value_, waits.result_, served));
      note();
    }
    wake(served);
    return is_settled;
  }
  bool receive_or_list(receiving& waits) noexcept {
    co::sync::wait_link* served = nullptr;
    bool is_settled = false;
    {
      base::lock_guard guard{lock_};
      if (waits.at == co::sync::wait_link::stage::interrupted) return true;
      is_settled = receivers_.settle_or_list(waits, take(waits.value_, served));
      note();
    }
    wake(served);
    return is_settled;
  }
  static void wake(co::sync::wait_link* served) noexcept {
    if (served != nullptr) static_cast<co::sync::wait_node*>(served)->wake();
  }

  const std::size_t capacity_;
  mutable base::mutex lock_;
  bool is_closed_ FILCH_GUARDED_BY(lock_) = false;
  base::atomic<bool> can_send_;            ///< Writers: under `lock_`. Readers: any. For `looks_ready`.
  base::atomic<bool> can_receive_{false};  ///< The same.
  co::sync::ring<T> queue_ FILCH_GUARDED_BY(lock_);
  co::sync::wait_list senders_ FILCH_GUARDED_BY(lock_);
  co::sync::wait_list receivers_ FILCH_GUARDED_BY(lock_);
};

}  // namespace filch
