// The values of a channel under every interleaving: one thread sends, two receive, and one of these
// takes the queue along. Each value comes out once and in order, no more are held than there is
// room for, and the sender does not wait beside room.
#include <filch/testing/model/witness.hpp>

#include <filch/co/sync/buffer.hpp>
#include <filch/co/sync/ring.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {

using filch::co::sync::basic_buffer;
using filch::co::sync::ring;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// A ring that tells the checker of every use.
class seen_ring {
 public:
  seen_ring() { uses_.write(0); }
  std::size_t size() const {
    static_cast<void>(uses_.read());
    return values_.size();
  }
  std::size_t room() const {
    static_cast<void>(uses_.read());
    return values_.room();
  }
  void reserve(std::size_t count) { used().reserve(count); }
  void push(int value) { used().push(std::move(value)); }
  void pop(std::optional<int>& to) { used().pop(to); }
  void swap(seen_ring& other) { used().swap(other.used()); }

 private:
  ring<int>& used() {
    uses_.write(uses_.read() + 1);
    return values_;
  }
  checked_sync::plain<int> uses_;
  ring<int> values_;
};

/// The values of a channel. The last thread sends `Values` of them one after the other, and waits
/// if there is no room. Each of the others receives `Each`, and gives up if there is none. A single
/// receiver destroys the channel after the last value.
template <std::size_t Capacity, int Values, unsigned Receivers, int Each>
struct passed_on : scenario<Receivers + 1> {
  struct channel {
    checked_sync::mutex lock;
    basic_buffer<checked_sync, seen_ring> values{Capacity};
    bool sender_waits = false;  ///< Guarded by `lock`, as is `next`.
    int next = 1;               ///< The next value to send.
  };
  std::unique_ptr<channel> there = std::make_unique<channel>();
  std::array<std::vector<int>, Receivers> received;

  void thread(unsigned index) override { index < Receivers ? receive_all(index) : send(*there); }

  static void send(channel& to) {
    for (bool goes_on = true; goes_on;) {
      to.lock.lock();
      goes_on = send_one(to);
      to.lock.unlock();
    }
  }
  /// True: there is more to send, and the sender need not wait.
  static bool send_one(channel& to) {
    if (!to.values.has_room()) {
      to.values.grow_to_full_size();
      to.sender_waits = true;
      return false;
    }
    to.values.push(int{to.next});
    return ++to.next <= Values;
  }
  /// Called by a receiver that made room: the sender goes on here.
  static void let_in(channel& at) {
    if (!at.sender_waits || !at.values.has_room()) return;
    at.sender_waits = false;
    while (send_one(at)) {
    }
  }

  void receive_all(unsigned who) {
    for (int i = 0; i < Each; ++i) {
      std::optional<int> found;
      channel& from = *there;
      if (!(from.values.in_stock() > 0 && from.values.take_from_stock(found)))
        receive(from, found, who == 0);
      if (!found) continue;
      received[who].push_back(*found);
      if (Receivers == 1 && *found == Values) return there.reset();
    }
  }
  /// A receiver that `takes_along` found the lock held.
  static void receive(channel& from, std::optional<int>& to, bool takes_along) {
    from.lock.lock();
    if (from.values.pop(to)) let_in(from);
    if (takes_along) from.values.take_along(from.sender_waits);
    from.lock.unlock();
  }

  void after() override {
    std::array<int, Values + 1> times{};
    for (const std::vector<int>& each : received) {
      int last = 0;
      for (const int value : each) {
        model_assert(value > last, "a receiver gets them in order");
        ++times[static_cast<std::size_t>(last = value)];
      }
    }
    const int sent = there == nullptr ? Values : there->next - 1;
    if (there != nullptr) count_what_is_left(times);
    for (int value = 1; value <= Values; ++value) {
      model_assert(times[static_cast<std::size_t>(value)] == (value <= sent ? 1 : 0),
                   "what was sent is there once");
    }
  }
  void count_what_is_left(std::array<int, Values + 1>& times) {
    std::size_t held = 0;
    int last = 0;
    for (std::optional<int> found; there->values.pop(found); ++held) {
      model_assert(*found > last, "what is left is in order");
      ++times[static_cast<std::size_t>(last = *found)];
    }
    model_assert(held <= Capacity, "no more are held than there is room for");
    model_assert(held == Capacity || !there->sender_waits, "nobody waits beside room");
  }
};

/// Before the first receive, value 1 is the stock and the others are in the queue.
struct sent_before : passed_on<8, 3, 2, 2> {
  sent_before() {
    there->values.push(1);
    there->values.take_along(false);
    there->next = 2;
    send(*there);
  }
  void thread(unsigned index) override {
    if (index < 2) receive_all(index);
  }
};

}  // namespace

TEST(buffer_model, one_takes_along_what_another_takes_from) {
  EXPECT_TRUE((holds<passed_on<8, 3, 2, 1>>()));
}
TEST(buffer_model, one_comes_late_to_a_stock_and_finds_another) {
  EXPECT_TRUE(holds<sent_before>());
}
TEST(buffer_model, a_sender_into_a_full_one_is_let_in) {
  EXPECT_TRUE((holds<passed_on<1, 3, 1, 3>>()));
}
TEST(buffer_model, two_receivers_let_in_the_senders_that_wait) {
  EXPECT_TRUE((holds<passed_on<2, 3, 2, 2>>()));
}
