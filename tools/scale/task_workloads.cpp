// Coroutines, as the benchmarks have them.
#include <bench/async_mutex/filch.hpp>
#include <bench/channel/filch.hpp>
#include <bench/spawn/filch.hpp>
#include <tools/scale/rounds.hpp>
#include <tools/scale/workload.hpp>

#include <deque>
#include <memory>

namespace filch::scaling {

namespace {

template <class Parameters, class Run, class Check>
prepared made_of(const Parameters& p, Run on_filch, Check check,
                 std::function<void()> serial = nullptr) {
  const auto found = std::make_shared<std::uint64_t>();
  return {.body = [=] { *found = block_on(spawn(on_filch(p))); },
          .check = [=] { return check(p, *found); },
          .serial = std::move(serial)};
}

task<std::uint64_t> await_each(std::uint64_t tasks) {
  std::uint64_t ran = 0;
  for (std::uint64_t i = 0; i != tasks; ++i) ran += co_await bench::spawn::one();
  co_return ran;
}

void pass_on(std::uint64_t values) {
  std::deque<std::uint64_t> through;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i != values; ++i) {
    through.push_back(i);
    if (through.size() < bench::channel::capacity) continue;
    for (; !through.empty(); through.pop_front()) sum += through.front();
  }
  use(sum);
}

}  // namespace

prepared make_spawn(std::uint64_t tasks) {
  using namespace bench::spawn;
  return made_of(
      parameters{tasks, asked_for("batch", tasks)}, [](const parameters& p) { return on_filch(p); },
      check, [=] { block_on(await_each(tasks)); });
}

prepared make_channel(std::uint64_t values) {
  using namespace bench::channel;
  return made_of(
      asked_for(values, default_receivers), [](const parameters& p) { return on_filch(p); }, check,
      [=] { pass_on(values); });
}

prepared make_mutex(std::uint64_t turns) {
  using namespace bench::async_mutex;
  return made_of(
      parameters{turns, false}, [](const parameters& p) { return on_filch(p); }, check);
}

}  // namespace filch::scaling
