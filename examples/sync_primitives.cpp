// Tasks that meet, wait for a condition, share a lock, and follow what one task sends to all.
#include <filch/co.hpp>
#include <filch/sync.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

// [barrier]
// Each task smooths a part of a rod, step by step. It reads a cell of the other's part, so it
// begins no step before both have ended the last one.
using rod = std::array<std::vector<double>, 2>;  // before a step and after it

filch::task<> smooth(rod& heat, std::size_t first, std::size_t last,
                     filch::async_barrier& step_ends) {
  for (std::size_t step = 0; step < 100; ++step) {
    const std::vector<double>& from = heat[step % 2];
    std::vector<double>& to = heat[(step + 1) % 2];
    for (std::size_t i = first; i < last; ++i) to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
    co_await step_ends.arrive_and_wait();
  }
}
filch::task<> smooth_all(rod& heat) {
  filch::async_barrier step_ends{2};
  const std::size_t last = heat[0].size() - 1, middle = heat[0].size() / 2;
  co_await filch::when_all(smooth(heat, 1, middle, step_ends),
                           smooth(heat, middle, last, step_ends));
}
// [barrier]

// [condition]
// Two connections for many tasks: a task that finds none waits for one.
class connections {
 public:
  filch::task<int> take() {
    filch::async_lock held = co_await lock_.lock();
    while (free_.empty()) co_await one_is_free_.wait(held);  // gives the lock up meanwhile
    const int taken = free_.back();
    free_.pop_back();
    co_return taken;
  }
  filch::task<> give_back(int connection) {
    const filch::async_lock held = co_await lock_.lock();
    free_.push_back(connection);
    one_is_free_.notify_one();
  }

 private:
  filch::async_mutex lock_;
  filch::async_condition one_is_free_;
  std::vector<int> free_{1, 2};
};
// [condition]

filch::task<> ask(connections& database, int& answers) {
  const int connection = co_await database.take();
  co_await filch::co::yield();  // the question
  ++answers;
  co_await database.give_back(connection);
}

// [shared_mutex]
// Many tasks read the settings at a time. A task that changes them has them alone.
class settings {
 public:
  filch::task<std::string> get(std::string name) {
    const auto shared = co_await lock_.lock_shared();
    const auto at = values_.find(name);
    co_return at == values_.end() ? std::string() : at->second;
  }
  filch::task<> set(std::string name, std::string value) {
    const auto alone = co_await lock_.lock();
    values_[std::move(name)] = std::move(value);
  }

 private:
  filch::async_shared_mutex lock_;
  std::map<std::string, std::string> values_;
};
// [shared_mutex]

// [broadcast]
// Every follower gets every price, or hears how many it was too slow for.
filch::task<> follow(const char* name, filch::broadcast<int>::receiver prices) {
  while (const filch::broadcast_value<int> price = co_await prices.receive()) {
    std::printf("%s: %d", name, *price);
    if (price.missed > 0) std::printf(" (missed %d before)", static_cast<int>(price.missed));
    std::printf("\n");
  }
}
void send_prices() {
  filch::broadcast<int> prices{2};  // keeps the last two
  auto from_the_first = prices.subscribe();
  for (const int price : {100, 101, 102}) static_cast<void>(prices.send(price));
  auto from_the_last = prices.subscribe();
  static_cast<void>(prices.send(103));
  prices.close();  // followers still get what it keeps
  filch::block_on(follow("early", from_the_first));
  filch::block_on(follow("late", from_the_last));
}
// [broadcast]

// [send_outcome]
// A channel that was closed does not take the letter, but gives it back.
filch::task<std::optional<std::string>> deliver(std::string letter,
                                                filch::channel<std::string>& box) {
  filch::send_outcome<std::string> sent = co_await box.send(std::move(letter));
  if (sent) co_return std::nullopt;
  co_return sent.take_back();
}
// [send_outcome]

filch::task<bool> use_settings() {
  settings shared;
  co_await shared.set("color", "green");
  const auto [first, second] = co_await filch::when_all(shared.get("color"), shared.get("size"));
  co_return first == "green" && second.empty();
}
filch::task<> ask_often(connections& database, std::array<int, 10>& answers) {
  filch::co::scope all;
  for (int& each : answers) all.spawn(ask(database, each));
  co_await all.join();
}

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  rod heat;
  for (std::vector<double>& each : heat) each = {90, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  filch::block_on(smooth_all(heat));
  bool is_right = check("barrier", heat[0][1] > heat[0][2] && heat[0][8] > 0);

  connections database;
  std::array<int, 10> answers{};
  filch::block_on(ask_often(database, answers));
  is_right &= check("condition", answers[0] == 1 && answers[9] == 1);
  is_right &= check("shared_mutex", filch::block_on(use_settings()));
  send_prices();

  filch::channel<std::string> box{1};
  is_right &= check("sent", !filch::block_on(deliver("a", box)));
  box.close();
  is_right &= check("sent back", filch::block_on(deliver("b", box)) == "b");
  return is_right ? 0 : 1;
}
