// Seven small programs of coroutines. docs/guide/from shows each beside the same program in Tokio
// and in Go.
#include <filch/algo/parallel_reduce.hpp>
#include <filch/algo/settings.hpp>
#include <filch/co.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

// [spawn]
filch::task<std::size_t> words_in(std::string text) {
  std::size_t words = 0;
  for (const char each : text) words += each == ' ';
  co_return words + 1;
}

filch::task<std::size_t> words_in_all(std::vector<std::string> texts) {
  std::vector<filch::join_handle<std::size_t>> begun;
  for (std::string& text : texts) begun.push_back(filch::spawn(words_in(std::move(text))));
  std::size_t words = 0;
  for (auto& each : begun) words += co_await std::move(each);
  co_return words;
}
// [spawn]

// [scope]
filch::task<> fill(int& place, int value) {
  if (value < 0) throw std::invalid_argument("below zero");
  place = value;
  co_return;
}

// The first failure cancels the other tasks. `join` throws it when all have ended.
filch::task<> fill_all(std::vector<int>& places, std::vector<int> values) {
  filch::co::scope all{co_await filch::co::get_stop_token()};
  for (std::size_t i = 0; i != values.size(); ++i) all.spawn(fill(places[i], values[i]));
  co_await all.join();
}
// [scope]

// [channel]
filch::task<> produce(filch::channel<int>& out, int count) {
  for (int i = 0; i != count; ++i) {
    const auto sent = co_await out.send(i);  // waits while the channel is full
    if (!sent) co_return;                    // the receiver has closed it
  }
  out.close();
}

filch::task<long> consume(filch::channel<int>& in) {
  long sum = 0;
  while (const std::optional<int> value = co_await in.receive()) sum += *value;
  co_return sum;
}
// [channel]

filch::task<long> stream() {
  filch::channel<int> numbers{8};
  const auto [none, sum] = co_await filch::when_all(produce(numbers, 1'000), consume(numbers));
  co_return sum;
}

// [select]
// A message, or the end, or neither of them in time.
filch::task<std::string> next_event(filch::channel<std::string>& messages, filch::async_event& quit,
                                    std::chrono::milliseconds limit) {
  auto got = co_await filch::with_timeout(filch::select(messages.receive(), quit.wait()), limit);
  if (!got) co_return "nothing in time";
  if (got->index == 1) co_return "quit";
  co_return std::get<0>(got->value).value_or("closed");
}
// [select]

// [mutex]
struct account {
  filch::async_mutex lock;
  long balance = 0;  ///< Guarded by `lock`.
};

filch::task<> deposit(account& to, long amount) {
  const filch::async_lock held = co_await to.lock.lock();
  const long before = to.balance;
  co_await filch::sleep_for(100us);  // the lock is held, and no thread is
  to.balance = before + amount;
}
// [mutex]

// [blocking]
// Another worker has the slot while this thread waits for the disk.
filch::task<std::string> read_file(std::string path) {
  const auto read = [&path] {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  co_return co_await filch::co::blocking(read);
}
// [blocking]

// [compute]
// All workers compute, this one too. A stop request or a timeout ends the loop within a leaf.
filch::task<double> pi(long steps) {
  const std::stop_token stop = co_await filch::co::get_stop_token();
  const auto height = [steps](long i) {
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(steps);
    return 4 / (1 + x * x);
  };
  const double sum =
      filch::parallel_reduce(filch::with(stop), 0L, steps, 0.0, height, std::plus<>{});
  co_return sum / static_cast<double>(steps);
}
// [compute]

bool spawns_are_right() {
  std::vector<int> places(3);
  filch::block_on(fill_all(places, {1, 2, 3}));
  bool has_thrown = false;
  try {
    filch::block_on(fill_all(places, {4, -1, 6}));
  } catch (const std::invalid_argument&) {
    has_thrown = true;
  }
  return filch::block_on(words_in_all({"a b", "c", "d e f"})) == 6 && places[1] == 2 && has_thrown;
}

bool selects_are_right() {
  filch::channel<std::string> messages{1};
  filch::async_event quit;
  const std::string none = filch::block_on(next_event(messages, quit, 1ms));
  const bool is_sent = messages.try_send("hello") == filch::send_result::sent;
  const std::string one = filch::block_on(next_event(messages, quit, 1h));
  quit.set();
  const std::string end = filch::block_on(next_event(messages, quit, 1h));
  return none == "nothing in time" && is_sent && one == "hello" && end == "quit";
}

filch::task<> deposit_all(account& to) {
  filch::co::scope all;
  for (long amount = 1; amount <= 10; ++amount) all.spawn(deposit(to, amount));
  co_await all.join();
}

bool loops_are_right() {
  const double all = filch::block_on(pi(100'000));
  const auto none = filch::block_on(filch::with_timeout(pi(1'000'000'000'000), 5ms));
  return all > 3.141592 && all < 3.141593 && !none;
}

}  // namespace

int main(int, char** arguments) {
  const bool is_spawn_right = spawns_are_right();
  const bool is_channel_right = filch::block_on(stream()) == 499'500;
  const bool is_select_right = selects_are_right();
  account mine;
  filch::block_on(deposit_all(mine));
  const bool is_mutex_right = mine.balance == 55;
  const bool is_file_right = filch::block_on(read_file(arguments[0])).substr(1, 3) == "ELF";
  const bool is_loop_right = loops_are_right();
  std::printf("spawn %d, channel %d, select %d, mutex %d, blocking %d, loop %d\n", is_spawn_right,
              is_channel_right, is_select_right, is_mutex_right, is_file_right, is_loop_right);
  const bool is_right = is_spawn_right && is_channel_right && is_select_right && is_mutex_right &&
                        is_file_right && is_loop_right;
  return is_right ? 0 : 1;
}
