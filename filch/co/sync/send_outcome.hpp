#pragma once
#include <filch/base/panic.hpp>

#include <optional>
#include <utility>

namespace filch::inline v0_2 {

/// The result of a send. `would_wait`: `try_send` found no room. `timed_out`: `with_timeout` found
/// none in time.
enum class [[nodiscard]] send_result : unsigned char{sent, closed, would_wait, timed_out};

/// The result of a send: whether the value was sent, and the value if it was not.
///
/// `if (auto sent = co_await c.send(std::move(v)); !sent) v = sent.take_back();`
/// Example: examples/sync_primitives.cpp
template <class T>
class [[nodiscard]] send_outcome {
 public:
  /// The value was sent.
  send_outcome() noexcept = default;
  send_outcome(send_result why, T&& back) : why_{why}, back_{std::move(back)} {}

  /// True: the value was sent.
  explicit operator bool() const noexcept { return why_ == send_result::sent; }
  /// Why it was not, or `sent`.
  operator send_result() const noexcept { return why_; }
  /// `with_timeout` of a send does not give an optional of this.
  operator std::optional<send_result>() const = delete;
  /// Returns the value that was not sent. Call it once.
  T take_back() {
    FILCH_ASSERT(back_.has_value(), "a value that was not sent is taken back once", why_);
    T back = std::move(*back_);
    back_.reset();
    return back;
  }

 private:
  send_result why_ = send_result::sent;
  std::optional<T> back_;
};

}  // namespace filch
