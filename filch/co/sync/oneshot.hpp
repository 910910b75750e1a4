#pragma once
#include <filch/co/sync/channel.hpp>

namespace filch {

/// A channel for one value. `co_await o.receive()`, or `filch::wait(o.receive())`; whoever sends
/// never waits.
///
/// Cost, blocks, threads, throws: as `channel`.
/// Lifetime: may be destroyed by who received the value, also while `send` has yet to return.
template <class T>
class oneshot {
 public:
  /// Once. Where somebody else has sent, or it was closed, the outcome gives the value back.
  send_outcome<T> send(T value) {
    const send_result result = one_.try_send_last(std::move(value));  // from here on it may be gone
    return result == send_result::sent ? send_outcome<T>{}
                                       : send_outcome<T>{result, std::move(value)};
  }
  /// There will be no value: who waits for it gets none.
  void close() noexcept { one_.close(); }
  /// Gives the value to the first, and none to others or where there will be none.
  auto receive() noexcept { return one_.receive(); }

 private:
  channel<T> one_{1};
};

}  // namespace filch
