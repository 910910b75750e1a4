#include <bench/harness/contender.hpp>
#include <bench/harness/filch_counters.hpp>
#include <bench/skynet/problem.hpp>
#include <filch/filch.hpp>

#include <tuple>
#include <utility>

namespace {

using namespace bench::skynet;

std::uint64_t skynet(std::uint64_t first, std::uint64_t leaves);

template <std::uint64_t... K>
std::uint64_t sum_of_children(std::uint64_t first, std::uint64_t share,
                              std::integer_sequence<std::uint64_t, K...>) {
  const auto sums = filch::join([=] { return skynet(first + K * share, share); }...);
  return std::apply([](auto... sum) { return (sum + ...); }, sums);
}

std::uint64_t skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  return sum_of_children(first, leaves / children,
                         std::make_integer_sequence<std::uint64_t, children>{});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "skynet", .peer = "filch", .size = parameters{}.leaves});
  const parameters given{.leaves = me.size<std::uint64_t>()};
  me.require(is_full_tree(given), size_rule);
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  me.measure(
      given, [&](const parameters& p) { return pool.run([&] { return skynet(0, p.leaves); }); },
      check);
  return me.exit_status();
}
