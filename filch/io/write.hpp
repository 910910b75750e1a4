#pragma once
#include <filch/base/panic.hpp>
#include <filch/co/cancelled.hpp>
#include <filch/co/run_loop.hpp>
#include <filch/io/awaiting.hpp>
#include <filch/io/taken_once.hpp>

#include <asio/basic_stream_socket.hpp>
#include <asio/buffer.hpp>
#include <asio/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <coroutine>
#include <cstddef>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <sys/socket.h>
#include <sys/uio.h>

namespace filch::inline v0_2::io {

/// Thrown by an await of `write` if the task was asked to stop while it waited. The first `sent`
/// bytes have gone out, perhaps none. An exception as any `co::cancelled`, and no short result: a
/// caller that ignores that would go on in the middle of a message.
/// Example: examples/io_executor.cpp
class FILCH_EXPORT write_cancelled : public co::cancelled {
 public:
  explicit write_cancelled(std::size_t sent) noexcept : sent_{sent} {}
  const char* what() const noexcept override {
    return "filch: the task was asked to stop while it waited to write";
  }
  std::size_t sent() const noexcept { return sent_; }

 private:
  std::size_t sent_;
};

namespace detail {

#if defined(MSG_NOSIGNAL)
inline constexpr int send_flags = MSG_DONTWAIT | MSG_NOSIGNAL;
#else
inline constexpr int send_flags =
    MSG_DONTWAIT;  // Asio has asked for no signal when it made the socket
#endif

/// A system call counts as so many transfers, so that a task that never waits lets other jobs run
/// after a few.
inline constexpr unsigned transfers_of_a_call = 16;

/// Sends what `socket` takes at once, and returns how many bytes. Throws: `std::system_error`.
inline std::size_t send_at_once(int socket, std::span<::iovec> parts) {
  ::msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  // Most messages have one part, which the kernel takes faster without a list.
  const ssize_t taken = parts.size() == 1
                            ? ::send(socket, parts[0].iov_base, parts[0].iov_len, send_flags)
                            : ::sendmsg(socket, &message, send_flags);
  if (taken >= 0) return static_cast<std::size_t>(taken);
  static_assert(EAGAIN == EWOULDBLOCK);
  if (errno == EAGAIN || errno == EINTR) return 0;
  throw std::system_error(errno, asio::error::get_system_category(), "io::write");
}

/// The same for what comes after the first `sent` bytes. Not inline, as clang 14 keeps the address
/// of `errno` across suspensions.
template <class Buffers>
[[gnu::noinline]] std::size_t send_behind(std::size_t sent, int socket, const Buffers& buffers) {
  std::array<::iovec, 16> parts;
  std::size_t count = 0;
  for (auto each = asio::buffer_sequence_begin(buffers);
       each != asio::buffer_sequence_end(buffers) && count != parts.size(); ++each) {
    asio::const_buffer left(*each);
    const std::size_t skipped = (std::min)(sent, left.size());
    sent -= skipped;
    left += skipped;
    if (left.size() != 0) parts[count++] = {const_cast<void*>(left.data()), left.size()};
  }
  return send_at_once(socket, {parts.data(), count});
}

/// Sends the rest of a write that found no room.
template <class Protocol, class Executor, class Buffers>
task<> send_rest(std::size_t sent, asio::basic_stream_socket<Protocol, Executor>& to,
                 Buffers buffers, awaiting token) {
  for (const std::size_t all = asio::buffer_size(buffers); sent < all;) {
    try {
      co_await to.async_wait(asio::socket_base::wait_write, token);
    } catch (const co::cancelled&) {
      throw write_cancelled(sent);
    }
    sent += send_behind(sent, to.native_handle(), buffers);
  }
}

/// What `write` returns, to be awaited once; the write begins then.
template <class Protocol, class Executor, class Buffers>
class [[nodiscard]] writing {
 public:
  using result = std::size_t;
  writing(asio::basic_stream_socket<Protocol, Executor>& to, Buffers buffers, awaiting token)
      : to_{to}, buffers_{std::move(buffers)}, token_{token} {}
  /// For functions that take a task, such as `when_any` and `spawn`.
  operator task<std::size_t>() && { return await(std::move(*this)); }

  bool await_ready() {
    FILCH_ASSERT(to_.get() != nullptr, "a write is awaited once, and where it was moved to", this);
    asio::basic_stream_socket<Protocol, Executor>& to = *to_.take();
    const std::size_t all = asio::buffer_size(buffers_);
    const std::size_t sent = all == 0 ? 0 : send_behind(0, to.native_handle(), buffers_);
    if (sent < all) rest_.emplace(send_rest(sent, to, buffers_, token_));
    return !rest_ && co::consume_budget(transfers_of_a_call);
  }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller,
                                        base::place where = {}) {
    if (rest_) return rest_->operator co_await().await_suspend(caller, where);
    return co::yield_if_exhausted(caller, co::promise_of(caller));
  }
  std::size_t await_resume() {
    if (rest_) rest_->operator co_await().await_resume();
    return asio::buffer_size(buffers_);
  }

 private:
  static task<std::size_t> await(writing self) { co_return co_await std::move(self); }

  taken_once<asio::basic_stream_socket<Protocol, Executor>> to_;
  Buffers buffers_;
  awaiting token_;
  std::optional<task<>> rest_;
};

}  // namespace detail

/// `co_await io::write(socket, asio::buffer(data), io::awaiting{io})` writes all of `buffers`, as
/// `asio::async_write`, but what the socket takes at once does not go through the reactor.
///
/// Most writes find room. Asio tries them first, too, but then posts their end: a suspension, and
/// with several workers perhaps a wake. A read mostly waits, so there is no such function for it.
/// Pipes cannot be written to without waiting unless their mode changes: use `asio::async_write`.
/// Returns: the number of bytes in `buffers`.
/// Cost:    a system call; if there is no room, a frame, what `async_wait` costs with `awaiting`,
///          and another call. One call in four lets other jobs of the worker run.
/// Throws:  `std::system_error`; if it waits, what an await of Asio's operations throws, but
///          `write_cancelled` for `co::cancelled`, which tells how far it came.
/// Lifetime: `to` and the memory of `buffers` outlive the await. No other task writes to `to`
///          meanwhile; others may read from it.
template <class Protocol, class Executor, class Buffers>
requires asio::is_const_buffer_sequence<Buffers>::value detail::writing<Protocol, Executor, Buffers>
write(asio::basic_stream_socket<Protocol, Executor>& to, Buffers buffers, awaiting token) {
  return {to, std::move(buffers), token};
}

}  // namespace filch::io
