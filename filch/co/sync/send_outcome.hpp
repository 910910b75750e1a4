#pragma once
#include <filch/base/panic.hpp>

#include <optional>
#include <utility>

namespace filch {

/// What has become of a value that was sent. `would_wait` is what `try_send` says where there is no
/// room, and `timed_out` what `with_timeout` says where there was none in time.
enum class [[nodiscard]] send_result : unsigned char{sent, closed, would_wait, timed_out};

/// What a send gives: whether the value was sent, and the value where it was not.
///
/// `if (auto sent = co_await c.send(std::move(v)); !sent) v = sent.take_back();`
template <class T>
class [[nodiscard]] send_outcome {
 public:
  /// The value was sent.
  send_outcome() noexcept = default;
  send_outcome(send_result why, T&& back) : why_{why}, back_{std::move(back)} {}

  explicit operator bool() const noexcept { return why_ == send_result::sent; }
  operator send_result() const noexcept { return why_; }
  /// A `with_timeout` gives no optional of it.
  operator std::optional<send_result>() const = delete;
  /// Gives up the value that was not sent. Once.
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
