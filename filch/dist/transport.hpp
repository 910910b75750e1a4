#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace filch::inline v0_2::dist {

/// Carries bytes between ranks. Messages of one sender to one receiver keep their order.
/// Threads: one at a time, not always the same.
class FILCH_EXPORT transport {
 public:
  struct letter {
    int from;
    std::string bytes;
  };
  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;
  /// Does not wait for the receiver.
  virtual void send(int to, std::string bytes) = 0;
  /// The next message, if one has come. Does not wait.
  virtual std::optional<letter> receive() = 0;
  /// Waits until all that was sent has left this rank. Only if all of it will be received.
  virtual void finish_sends() = 0;
  /// Called by all ranks with as many values. Returns those of rank 0, then those of rank 1, and so
  /// on. Blocks, without using a processor for long, until all have called.
  virtual std::vector<std::uint64_t> gather_all(const std::vector<std::uint64_t>& values) = 0;

 protected:
  ~transport() = default;
};

}  // namespace filch::dist
