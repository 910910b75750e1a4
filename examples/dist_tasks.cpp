// Work on several ranks of an MPI job, or on one: mpirun -n 4 ./dist_tasks
#include <examples/check.hpp>
#include <filch/dist.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace dist = filch::dist;

// [task]
struct node {
  std::uint64_t word = 1;
  int levels = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive& word& levels;
  }
};
// [task]

/// Counts a tree that is known by its rule: a node has its word's last two bits as children.
std::uint64_t count_tree(dist::world& ranks, node root) {
  // [for_each_task]
  const auto expand = [](node at, auto& push, std::uint64_t& count) {
    ++count;
    for (std::uint64_t child = 0; at.levels > 0 && child < at.word % 4; ++child)
      push(node{at.word * 6364136223846793005u + 2 * child + 1, at.levels - 1});
  };
  return dist::for_each_task(ranks, std::vector{root}, expand,
                             dist::monoid{std::uint64_t{0}, std::plus<>{}});
  // [for_each_task]
}

std::uint64_t count_alone(node at) {
  std::uint64_t count = 1;
  for (std::uint64_t child = 0; at.levels > 0 && child < at.word % 4; ++child)
    count += count_alone({at.word * 6364136223846793005u + 2 * child + 1, at.levels - 1});
  return count;
}

void sum_of_squares(dist::world& ranks) {
  // [map_reduce]
  const std::uint64_t sum = dist::map_reduce(
      ranks, 1000, [](std::uint64_t i) { return i * i; },
      dist::monoid{std::uint64_t{0}, std::plus<>{}});
  // [map_reduce]
  check("the sum is 332'833'500", sum == 332'833'500);
}

void texts_in_order(dist::world& ranks) {
  // [by_key]
  using texts = dist::by_key<std::uint64_t, std::string>;
  const auto text = [](std::uint64_t i) {
    texts one;
    one.add(i, std::to_string(i));
    return one;
  };
  const auto sorted =
      dist::map_reduce(ranks, 100, text, dist::monoid{texts{}, texts::meet}).sorted();
  // [by_key]
  check("texts are in order", sorted.size() == 100 && sorted[42].second == "42");
}

void halves(dist::world& ranks) {
  using range = std::pair<std::uint64_t, std::uint64_t>;
  // [divide_and_conquer]
  const std::uint64_t sum = dist::divide_and_conquer(
      ranks, range{0, 1'000'000}, [](range at) { return at.second - at.first < 1000; },
      [](range at) {
        const std::uint64_t middle = std::midpoint(at.first, at.second);
        return std::vector{range{at.first, middle}, range{middle, at.second}};
      },
      [](range at) { return (at.first + at.second - 1) * (at.second - at.first) / 2; },
      dist::monoid{std::uint64_t{0}, std::plus<>{}});
  // [divide_and_conquer]
  check("the sum is 499'999'500'000", sum == 499'999'500'000);
}

int main() {
  // [world]
  dist::world ranks;
  // [world]
  const node root{.word = 7, .levels = 16};
  const std::uint64_t count = count_tree(ranks, root);
  check("all nodes are counted once", count == count_alone(root));
  sum_of_squares(ranks);
  texts_in_order(ranks);
  halves(ranks);
  if (ranks.rank() == 0)
    std::printf("%llu nodes on %d ranks\n", static_cast<unsigned long long>(count), ranks.size());
  return wrong_claims;
}
