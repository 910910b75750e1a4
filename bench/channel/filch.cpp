#include <bench/channel/problem.hpp>
#include <bench/harness/contender.hpp>
#include <filch/co.hpp>
#include <filch/sync.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace {

using namespace bench::channel;
using numbers = filch::channel<std::uint64_t>;

filch::task<> send(numbers& to, std::uint64_t count) {
  for (std::uint64_t i = 0; i != count; ++i) static_cast<void>(co_await to.send(i));
}

filch::task<std::uint64_t> receive(numbers& from) {
  std::uint64_t sum = 0;
  while (const std::optional<std::uint64_t> found = co_await from.receive()) sum += *found;
  co_return sum;
}

filch::task<std::uint64_t> stream(const parameters& p) {
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

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "channel",
                       .peer = "filch",
                       .size = default_values,
                       .variant = default_receivers});
  const parameters given = asked_for(me.size<std::uint64_t>(), me.variant());
  me.require(given.receivers != 0, case_rule);
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  me.measure(
      given, [&](const parameters& p) { return filch::block_on(filch::spawn(pool, stream(p))); },
      check);
  return me.exit_status();
}
