#pragma once
#include <bench/declared_work.hpp>
#include <bench/spawn/problem.hpp>
#include <filch/co.hpp>
#include <filch/sync.hpp>

#include <utility>
#include <vector>

namespace bench::spawn {

inline filch::task<std::uint64_t> one() {
  declare_work();
  co_return 1;
}

inline filch::task<std::uint64_t> in_batches(std::uint64_t tasks) {
  std::uint64_t ran = 0;
  std::vector<filch::join_handle<std::uint64_t>> batch;
  batch.reserve(tasks_of_a_batch);
  for (std::uint64_t left = tasks; left != 0; left -= tasks_of_a_batch) {
    for (std::uint64_t i = 0; i != tasks_of_a_batch; ++i) batch.push_back(filch::spawn(one()));
    for (auto& each : batch) ran += co_await std::move(each);
    batch.clear();
  }
  co_return ran;
}

inline filch::task<> link(std::uint64_t number, std::uint64_t last,
                          filch::oneshot<std::uint64_t>& ended) {
  if (number == last) {
    static_cast<void>(ended.send(number));
  } else {
    filch::spawn(link(number + 1, last, ended));
  }
  co_return;
}

inline filch::task<std::uint64_t> in_a_chain(std::uint64_t tasks) {
  filch::oneshot<std::uint64_t> ended;
  filch::spawn(link(1, tasks, ended));
  co_return (co_await ended.receive()).value_or(0);
}

inline filch::task<std::uint64_t> yield_often(std::uint64_t times) {
  for (std::uint64_t i = 0; i != times; ++i) co_await filch::co::yield();
  co_return times;
}

inline filch::task<std::uint64_t> in_turn(std::uint64_t times) {
  auto one = filch::spawn(yield_often(times / 2)), other = filch::spawn(yield_often(times / 2));
  const std::uint64_t first = co_await std::move(one);
  co_return first + co_await std::move(other);
}

inline filch::task<std::uint64_t> on_filch(const parameters& p) {
  return p.how == way::batch   ? in_batches(p.tasks)
         : p.how == way::chain ? in_a_chain(p.tasks)
                               : in_turn(p.tasks);
}

}  // namespace bench::spawn
