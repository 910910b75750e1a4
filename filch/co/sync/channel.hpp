#pragma once
#include <filch/base/atomic.hpp>
#include <filch/co/sync/buffer.hpp>
#include <filch/co/sync/ring.hpp>
#include <filch/co/sync/send_outcome.hpp>
#include <filch/co/sync/waiting.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

namespace filch::inline v0_2 {

/// As the capacity of a channel: a send never waits.
inline constexpr std::size_t unbounded = (std::numeric_limits<std::size_t>::max)();

/// A queue between any number of senders and receivers. `co_await c.send(value)` and `co_await
/// c.receive()`, or `filch::wait(c.send(value))`.
///
/// Holds up to `capacity` values. Memory for them is allocated as they come, and kept; for twice as
/// many, once several threads have used the channel at a time. With capacity 0 a send waits until
/// its value is received; with `unbounded` it never waits. Values come out in the order in which
/// they went in, and waiters are served in order of arrival. Closed, it takes no more values: a
/// send gives `send_result::closed`, even one that waits. Values in the channel are still received;
/// then a receive gives no value.
/// Values: one that is not sent is not lost. The outcome of a send gives it back if the channel was
/// closed, or if `with_timeout` ran out. If the await throws, or a `select` chose another
/// operation, the operation still has it: keep `auto sends = c.send(std::move(v));`, and call
/// `sends.take_back()`. `try_send` leaves the value where it is. Values move and are destroyed
/// under a lock: a move that uses another channel may wait for itself.
/// Turns: a task that never has to wait yields once in some thousand operations at the channel.
/// Cost: a lock, some 20 ns, each way; if it waits, a suspension and a turn in the ready queue. No
/// allocation but that of the queue. A receiver that finds the lock held takes along all values,
/// and receivers then take those without that lock.
/// Blocks:  never a coroutine's thread.
/// Threads: any.
/// Throws: an await `co::cancelled`, and then no value was sent or taken; `std::bad_alloc`, if the
/// queue cannot grow (also before a send waits) or at the first wait of a task.
/// Lifetime: outlives its last operation. No task waits when it is destroyed; values in it are
/// destroyed with it.
/// Example: examples/hand_over.cpp
template <class T>
class channel {
 public:
  explicit channel(std::size_t capacity) noexcept
      : can_send_{capacity > 0 ? look::ready : look::waits}, values_{capacity} {}
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  class [[nodiscard]] sending : public co::sync::waiting<sending> {
   public:
    sending(channel& to, T&& value) noexcept
        : co::sync::waiting<sending>{to.lock_}, to_{to}, value_{std::move(value)} {}
    ~sending() { this->leave(); }
    bool try_at_once() {
      return to_.as_seen(to_.can_send_) == look::ready && to_.send_now(value_, result_);
    }
    bool try_for_others() {
      return to_.as_seen(to_.can_send_) != look::waits && to_.send_for_others(value_, result_);
    }
    bool try_locked(co::sync::served_chain& served) noexcept
        FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
      return to_.put(value_, result_, served);
    }
    void list(co::sync::served_chain&) noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
      result_ = send_result::closed;
      to_.list_in(to_.senders_, *this);
    }
    base::awaited awaited() const noexcept { return {"room in channel", &to_}; }
    send_outcome<T> result() {
      return result_ == send_result::sent ? send_outcome<T>{}
                                          : send_outcome<T>{result_, std::move(value_)};
    }
    /// What `with_timeout` gives if the time was over.
    send_outcome<T> too_late() { return {send_result::timed_out, std::move(value_)}; }
    /// Returns the value, which was not sent. After the wait, once.
    T take_back() {
      FILCH_ASSERT(result_ != send_result::sent, "a value that was sent is not taken back", &to_);
      return std::move(value_);
    }

   private:
    channel& to_;
    T value_;
    send_result result_ = send_result::closed;  ///< Until the value is sent.
    friend channel;
  };
  class [[nodiscard]] receiving : public co::sync::waiting<receiving> {
   public:
    explicit receiving(channel& from) noexcept
        : co::sync::waiting<receiving>{from.lock_}, from_{from} {}
    ~receiving() { this->leave(); }
    bool try_at_once() noexcept {
      return from_.as_seen_by_receiver() == look::ready && from_.receive_now(value_);
    }
    bool try_for_others() noexcept {
      return from_.as_seen_by_receiver() != look::waits && from_.receive_for_others(value_);
    }
    bool try_locked(co::sync::served_chain& served) noexcept
        FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
      return from_.take(value_, served);
    }
    void list(co::sync::served_chain&) noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
      from_.list_in(from_.receivers_, *this);
    }
    base::awaited awaited() const noexcept { return {"a value from channel", &from_}; }
    std::optional<T> result() noexcept { return std::exchange(value_, std::nullopt); }

   private:
    channel& from_;
    std::optional<T> value_;
    friend channel;
  };

  /// Sends `value` when it is awaited, and waits for room.
  sending send(T value) noexcept { return sending{*this, std::move(value)}; }
  /// Gives no value once the channel is closed and empty.
  receiving receive() noexcept { return receiving{*this}; }
  /// `value` is moved from only if it was sent.
  send_result try_send(T&& value) {
    send_result result = send_result::would_wait;
    send_now(value, result);
    return result;
  }
  /// As `try_send`, and closes if the value was sent. Both under one lock: the task that receives
  /// the value may destroy the channel, unless others receive from it as well.
  send_result try_send_last(T&& value) {
    send_result result = send_result::would_wait;
    do_and_wake([&](auto& served) FILCH_REQUIRES(lock_) {
      put(value, result, served);
      if (result == send_result::sent) close(served);
      return true;
    });
    return result;
  }
  /// Gives no value if there is none now.
  std::optional<T> try_receive() noexcept {
    std::optional<T> found;
    receive_now(found);
    return found;
  }
  void close() noexcept {
    do_and_wake([&](auto& served) FILCH_REQUIRES(lock_) {
      close(served);
      return true;
    });
  }
  bool is_closed() const noexcept {
    base::lock_guard guard{lock_};
    return is_closed_;
  }

 private:
  /// What an operation sees before it takes a lock. After `operations_in_turn` sends, or receives,
  /// one yields (`others_first`): a channel that is never empty, or never full, would keep its
  /// worker from other tasks.
  enum class look : unsigned char { waits, ready, others_first };

  /// Relaxed: a look. An operation that finds nothing looks again under the lock before it waits.
  static look as_seen(const base::atomic<look>& can) noexcept { return can.load(base::relaxed); }
  /// A stock counts as it is taken along, so receivers of a long one yield by what is left of it.
  look as_seen_by_receiver() const noexcept {
    if (const std::size_t left = values_.in_stock(); left != 0)
      return left % co::sync::operations_in_turn == 0 ? look::others_first : look::ready;
    return as_seen(can_receive_);
  }
  void note() noexcept FILCH_REQUIRES(lock_) {
    const auto seen = [](bool is_ready, unsigned done) {
      return static_cast<look>(is_ready << (done >= co::sync::operations_in_turn));
    };
    can_send_.store(seen(is_closed_ || !receivers_.is_empty() || values_.may_have_room(), sent_),
                    base::relaxed);
    can_receive_.store(
        seen(is_closed_ || !senders_.is_empty() || values_.may_hold_some(), received_),
        base::relaxed);
  }

  void close(co::sync::served_chain& served) noexcept FILCH_REQUIRES(lock_) {
    is_closed_ = true;
    served.add_all(receivers_);
    served.add_all(senders_);
    note();
  }
  /// False: there is no room, but now memory for `capacity` values, so that nothing allocates when
  /// a sender that waits is let in.
  bool put(T& value, send_result& result, co::sync::served_chain& served) FILCH_REQUIRES(lock_) {
    if (is_closed_ || !receivers_.is_empty() || !values_.looks_roomy()) [[unlikely]]
      return put_otherwise(value, result, served);
    values_.push(std::move(value));
    result = send_result::sent;
    ++sent_;
    note();
    return true;
  }
  /// A function of its own, so that `put` needs fewer registers.
  [[gnu::noinline]] bool put_otherwise(T& value, send_result& result,
                                       co::sync::served_chain& served) FILCH_REQUIRES(lock_) {
    if (is_closed_) {
      result = send_result::closed;
      return true;
    }
    if (co::sync::wait_link* const receiver = receivers_.serve_first(); receiver != nullptr) {
      static_cast<receiving*>(receiver)->value_.emplace(std::move(value));
      served.add(receiver);
    } else if (values_.has_room()) {  // so no sender waits
      values_.push(std::move(value));
    } else {
      values_.grow_to_full_size();
      return false;
    }
    result = send_result::sent;
    ++sent_;
    note();
    return true;
  }
  /// False: there is no value yet.
  bool take(std::optional<T>& to, co::sync::served_chain& served) noexcept FILCH_REQUIRES(lock_) {
    if (!values_.pop(to)) {
      sending* const sender = serve_sender(served);
      if (sender == nullptr) return is_closed_;
      to.emplace(std::move(sender->value_));
    }
    let_in(served);
    ++received_;
    note();
    return true;
  }
  /// Serves the first waiting sender, or null.
  sending* serve_sender(co::sync::served_chain& served) noexcept FILCH_REQUIRES(lock_) {
    sending* const sender = static_cast<sending*>(senders_.serve_first());
    if (sender == nullptr) return nullptr;
    sender->result_ = send_result::sent;
    served.add(sender);
    return sender;
  }
  /// Serves waiting senders, as far as there is room.
  void let_in(co::sync::served_chain& served) noexcept FILCH_REQUIRES(lock_) {
    while (!senders_.is_empty() && values_.has_room()) {
      if (sending* const sender = serve_sender(served); sender != nullptr)
        values_.push(std::move(sender->value_));
    }
  }
  /// Calls `step` under the lock, then wakes. Returns what `step` returned: whether it is done.
  template <class Step>
  [[gnu::always_inline]] bool do_and_wake(Step step) {
    co::sync::served_chain served;
    bool is_done = false;
    {
      base::lock_guard guard{lock_};
      is_done = step(served);
    }
    wake_all(served);
    return is_done;
  }
  [[gnu::always_inline]] bool send_now(T& value, send_result& result) {
    return do_and_wake([&](auto& served)
                           FILCH_REQUIRES(lock_) { return put(value, result, served); });
  }
  [[gnu::noinline]] bool send_for_others(T& value, send_result& result) {
    return do_and_wake([&](auto& served) FILCH_REQUIRES(lock_) {
      sent_ = 0;
      return put(value, result, served);
    });
  }
  [[gnu::noinline]] bool receive_for_others(std::optional<T>& to) noexcept {
    return do_and_wake([&](auto& served) FILCH_REQUIRES(lock_) {
      received_ = 0;
      return take(to, served);
    });
  }
  [[gnu::always_inline]] bool receive_now(std::optional<T>& to) noexcept {
    return (values_.in_stock() > 0 && values_.take_from_stock(to)) || receive_under_lock(to);
  }
  /// A receiver that finds the lock held takes along all values: other threads use the channel now.
  [[gnu::always_inline]] bool receive_under_lock(std::optional<T>& to) noexcept FILCH_UNCHECKED {
    co::sync::served_chain served;
    const bool is_held = !lock_.try_lock();
    if (is_held) lock_.lock();
    const bool is_done = take(to, served);
    if (is_held) take_along();
    lock_.unlock();
    wake_all(served);
    return is_done;
  }
  [[gnu::noinline]] void take_along() noexcept FILCH_REQUIRES(lock_) {
    // Counted at once: they are received without this lock
    received_ += static_cast<unsigned>(values_.take_along(!senders_.is_empty()));
    note();
  }
  void list_in(co::sync::wait_list& line, co::sync::wait_link& waits) noexcept
      FILCH_REQUIRES(lock_) {
    line.push_back(waits);
    note();
  }

  using buffer = co::sync::basic_buffer<base::real_sync, co::sync::ring<T>>;

  mutable base::mutex lock_;
  bool is_closed_ FILCH_GUARDED_BY(lock_) = false;
  /// Writers: under `lock_`. Readers: any, for a look.
  base::atomic<look> can_send_;
  base::atomic<look> can_receive_{look::waits};  ///< The same.
  unsigned sent_ FILCH_GUARDED_BY(lock_) = 0;    ///< Since one of them yielded last.
  /// Since one of them yielded last. A stock counts as it is taken along.
  unsigned received_ FILCH_GUARDED_BY(lock_) = 0;
  co::sync::wait_list senders_ FILCH_GUARDED_BY(lock_);
  co::sync::wait_list receivers_ FILCH_GUARDED_BY(lock_);
  buffer values_;  ///< Guarded by `lock_`, except its stock.
};

}  // namespace filch
