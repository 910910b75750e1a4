#pragma once
#include <bench/channel/problem.hpp>
#include <bench/declared_work.hpp>
#include <filch/co.hpp>
#include <filch/sync.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace bench::channel {
using numbers = filch::channel<std::uint64_t>;

inline filch::task<> send(numbers& to, std::uint64_t count) {
  for (std::uint64_t i = 0; i != count; ++i) {
    declare_work();
    static_cast<void>(co_await to.send(i));
  }
}

inline filch::task<std::uint64_t> receive(numbers& from) {
  std::uint64_t sum = 0;
  while (const std::optional<std::uint64_t> found = co_await from.receive()) sum += *found;
  co_return sum;
}

inline filch::task<std::uint64_t> on_filch(const parameters& p) {
  numbers through{capacity};
  std::vector<filch::join_handle<std::uint64_t>> receivers;
  for (std::uint64_t i = 0; i != p.receivers; ++i)
    receivers.push_back(filch::spawn(receive(through)));
  filch::co::scope sending;
  for (std::uint64_t i = 0; i != senders; ++i) sending.spawn(send(through, p.of_each_sender()));
  co_await sending.join();
  through.close();
  std::uint64_t sum = 0;
  for (auto& each : receivers) sum += co_await std::move(each);
  co_return sum;
}

}  // namespace bench::channel
