// Recursions, as the benchmarks have them.
#include <bench/fib/filch.hpp>
#include <bench/filch_ways.hpp>
#include <bench/heat/problem.hpp>
#include <bench/integrate/filch.hpp>
#include <bench/nqueens/filch.hpp>
#include <bench/skynet/filch.hpp>
#include <bench/uts/filch.hpp>
#include <tools/scale/workload.hpp>

#include <memory>

namespace filch::scaling {

namespace {

/// A function of parameters, with its serial twin and its check.
template <class Parameters, class Parallel, class Serial, class Check>
prepared made_of(const Parameters& p, Parallel on_filch, Serial serial, Check check) {
  using result = decltype(on_filch(p));
  const auto found = std::make_shared<result>();
  return {.body = [=] { *found = on_filch(p); },
          .check = [=] { return check(p, *found); },
          .serial = [=] { *found = serial(p); }};
}

/// Both halves forked, and rows declared that are not halved any more.
struct forked_rows : bench::forked {
  void computes(const bench::heat::plate& from, bench::heat::plate& to, std::size_t first,
                std::size_t last) const {
    const std::size_t row_bytes = from.side() * sizeof(double);
    testing::touch(from.row(first - 1), (last - first + 2) * row_bytes);
    testing::touch(to.row(first), (last - first) * row_bytes, true);
    bench::declare_work(static_cast<double>((last - first) * from.side()));
  }
};

}  // namespace

prepared make_fib(std::uint64_t n) {
  using namespace bench::fib;
  return made_of(
      parameters{.n = static_cast<unsigned>(n)}, [](const parameters& p) { return on_filch(p); },
      [](const parameters& p) { return serial(p); }, check);
}

prepared make_uts(std::uint64_t depth) {
  using namespace bench::uts;
  tree given = sample("T1").parameters;
  given.depth_limit = static_cast<int>(depth);
  const auto counted_by_one = std::make_shared<tally>();
  return made_of(
      given, [](const tree& t) { return on_filch(t); }, [](const tree& t) { return serial(t); },
      [counted_by_one](const tree& t, const tally& found) {
        if (counted_by_one->nodes == 0) *counted_by_one = serial(t);
        return std::string(found == *counted_by_one ? "" : "not the tally of the plain recursion");
      });
}

prepared make_nqueens(std::uint64_t n) {
  using namespace bench::nqueens;
  return made_of(
      parameters{.n = static_cast<int>(n)}, [](const parameters& p) { return on_filch(p); },
      [](const parameters& p) { return serial(p); }, check);
}

prepared make_skynet(std::uint64_t leaves) {
  using namespace bench::skynet;
  return made_of(
      parameters{.leaves = leaves}, [](const parameters& p) { return on_filch(p); },
      [](const parameters& p) { return serial(0, p.leaves); }, check);
}

prepared make_integrate(std::uint64_t upper) {
  using namespace bench::integrate;
  return made_of(
      parameters{.upper = static_cast<double>(upper)},
      [](const parameters& p) { return on_filch(p); },
      [](const parameters& p) { return serial(p); }, check);
}

prepared make_heat(std::uint64_t side) {
  using namespace bench::heat;
  struct state {
    parameters p;
    plate begin = input(p), now = begin, other = begin;
  };
  const auto all = std::make_shared<state>(state{.p = {.n = side}});
  return {.body = [=] { spread(all->now, all->other, all->p.steps, forked_rows{}); },
          .check = [=] { return check(all->p, all->now); },
          .serial = [=] { spread(all->now, all->other, all->p.steps, bench::in_order{}); },
          .reset = [=] { all->now = all->other = all->begin; }};
}

}  // namespace filch::scaling
