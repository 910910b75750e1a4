#pragma once
// Makes a receiver find the lock of a channel held.
#include <filch/sync.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace filch::inline v0_2::co::sync {

/// A move stops here until another thread comes for the lock under which it is done.
class gate {
 public:
  /// By the move. Stays for a moment once the other thread comes: whether that one is at the lock
  /// already cannot be seen.
  void pass() noexcept {
    is_reached_ = true;
    while (!somebody_comes_) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  /// By the thread that is to find the lock held: it takes the lock next.
  void come() noexcept {
    while (!is_reached_) std::this_thread::yield();
    somebody_comes_ = true;
  }

 private:
  std::atomic<bool> is_reached_{false}, somebody_comes_{false};
};

/// A number. One of its moves may stop at a gate.
class slow_number {
 public:
  slow_number(int number) noexcept : number_{number} {}  // NOLINT: a number
  slow_number(int number, int slow_move, gate& at) noexcept
      : number_{number}, moves_left_{slow_move}, gate_{&at} {}
  slow_number(slow_number&& other) noexcept
      : number_{other.number_}, moves_left_{other.moves_left_ - 1}, gate_{other.gate_} {
    if (moves_left_ == 0) gate_->pass();
  }
  slow_number& operator=(slow_number&&) = delete;
  ~slow_number() = default;
  int value() const noexcept { return number_; }

 private:
  int number_;
  int moves_left_ = 0;
  gate* gate_ = nullptr;
};

inline void try_send(channel<slow_number>& to, int from, int last) {
  for (int number = from; number <= last; ++number)
    EXPECT_EQ(to.try_send(number), send_result::sent) << number;
}
inline int received(channel<slow_number>& from) {
  const std::optional<slow_number> found = from.try_receive();
  return found ? found->value() : 0;
}
/// Sends 1 to `last`, and receives 1 while `last` is sent, so that the others are taken along.
inline void stock_up(channel<slow_number>& values, int last, slow_number second = 2) {
  EXPECT_EQ(values.try_send(1), send_result::sent);
  EXPECT_EQ(values.try_send(std::move(second)), send_result::sent);
  try_send(values, 3, last - 1);
  gate at;
  std::thread sends{[&] {
    EXPECT_EQ(values.try_send(slow_number{last, 1, at}), send_result::sent);
  }};
  at.come();
  EXPECT_EQ(received(values), 1);
  sends.join();
}

}  // namespace filch::co::sync
