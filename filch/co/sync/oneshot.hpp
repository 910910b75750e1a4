#pragma once
#include <filch/co/sync/channel.hpp>

namespace filch::inline v0_2 {

/// A channel for one value. `co_await o.receive()`, or `filch::wait(o.receive())`; `send` never
/// waits.
///
/// Cost, blocks, threads, throws: as `channel`.
/// Lifetime: the task that received the value may destroy it, even before `send` returns.
template <class T>
class oneshot {
 public:
  /// Once. If a value was sent before, or it was closed, the outcome gives the value back.
  send_outcome<T> send(T value) {
    const send_result result = one_.try_send_last(std::move(value));  // from here on it may be gone
    return result == send_result::sent ? send_outcome<T>{}
                                       : send_outcome<T>{result, std::move(value)};
  }
  /// There will be no value: waiting receivers get none.
  void close() noexcept { one_.close(); }
  /// Gives the value to the first receiver; others get none. If it was closed, all get none.
  auto receive() noexcept { return one_.receive(); }

 private:
  channel<T> one_{1};
};

}  // namespace filch
