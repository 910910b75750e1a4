// Loops and algorithms.
#include <bench/skewed/filch.hpp>
#include <bench/sorting/problem.hpp>
#include <bench/sum/filch.hpp>
#include <filch/algo.hpp>
#include <tools/scale/rounds.hpp>
#include <tools/scale/workload.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace filch::scaling {

prepared make_sum(std::uint64_t count) {
  const bench::sum::parameters p{.count = count};
  const auto found = std::make_shared<std::uint64_t>();
  return {.body = [=] { *found = bench::sum::on_filch(p); },
          .check = [=] { return bench::sum::check(p, *found); },
          .serial = [=] { *found = bench::sum::serial(p); }};
}

prepared make_cheap(std::uint64_t count) {
  const auto item = [](std::uint64_t i) {
    bench::declare_work();
    use(i * 0x9e3779b97f4a7c15U ^ i >> 7);
  };
  return {.body = [=] { parallel_for(std::uint64_t{0}, count, item); },
          .serial =
              [=] {
                for (std::uint64_t i = 0; i != count; ++i) item(i);
              }};
}

prepared make_skewed(std::uint64_t count) {
  using bench::skewed::parameters;
  const auto p = std::make_shared<parameters>(bench::skewed::make("pareto", count));
  const auto found = std::make_shared<std::uint64_t>();
  return {.body = [=] { *found = bench::skewed::on_filch(*p); },
          .check =
              [=] { return std::string(*found == bench::skewed::serial(*p) ? "" : "a wrong sum"); },
          .serial = [=] { *found = bench::skewed::serial(*p); }};
}

prepared make_sort(std::uint64_t count) {
  struct state {
    bench::sorting::parameters p;
    std::vector<std::uint64_t> begin = bench::sorting::input(p), now = begin;
  };
  const auto all = std::make_shared<state>(state{.p = {.count = count}});
  const auto less = [](std::uint64_t a, std::uint64_t b) {
    bench::declare_work();
    return a < b;
  };
  return {.body = [=] { filch::sort(all->now, less); },
          .check = [=] { return bench::sorting::check(all->p, all->now); },
          .reset = [=] { all->now = all->begin; }};
}

prepared make_scan(std::uint64_t count) {
  struct state {
    std::vector<std::uint64_t> in, out;
  };
  const auto all = std::make_shared<state>();
  all->in.resize(count);
  std::iota(all->in.begin(), all->in.end(), std::uint64_t{1});
  all->out.resize(count);
  const auto plus = [](std::uint64_t a, std::uint64_t b) {
    bench::declare_work();
    return a + b;
  };
  return {.body = [=] { filch::inclusive_scan(all->in, all->out.begin(), plus); },
          .check =
              [=] {
                const std::uint64_t sum = count * (count + 1) / 2;
                return std::string(all->out.back() == sum ? "" : "a wrong sum");
              },
          .serial =
              [=] { std::inclusive_scan(all->in.begin(), all->in.end(), all->out.begin(), plus); }};
}

}  // namespace filch::scaling
