// Loops over boxes, blocks and lists that grow; options; stages of a pipeline; views of more than
// one range. Each in a few lines.
#include "check.hpp"

#include <filch/algo.hpp>

#include <atomic>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

// [blocked_range]
// Blocks of a matrix, nearly square: both matrices are read from the cache.
std::vector<double> transposed(const std::vector<double>& from, std::size_t rows,
                               std::size_t columns) {
  std::vector<double> to(from.size());
  const filch::blocked_range all{filch::index_range(0, rows), filch::index_range(0, columns)};
  filch::parallel_for(all, [&](std::size_t row, std::size_t column) {
    to[column * rows + row] = from[row * columns + column];
  });
  return to;
}
// [blocked_range]

// [index_range]
// The body gets a block of indices, so it shares between neighbors what costs something.
std::vector<double> powers(double base, std::size_t count) {
  std::vector<double> all(count);
  filch::parallel_for(std::size_t{0}, count, [&](filch::index_range<std::size_t> block) {
    double power = std::pow(base, static_cast<double>(block.first()));
    for (const std::size_t i : block) {
      all[i] = power;
      power *= base;
    }
  });
  return all;
}
// [index_range]

// [iterator_range]
using chunk = filch::iterator_range<std::vector<int>::const_iterator>;

long sum(const std::vector<int>& values) {
  filch::worker_local<long> sums;
  filch::for_each_chunk(
      values, [&](chunk part) { sums.local() += std::accumulate(part.begin(), part.end(), 0L); });
  return sums.combine(std::plus<>{});
}
// [iterator_range]

// [for_each_worklist]
// Marks all that can be reached from `start`. The body adds what it finds.
using graph = std::vector<std::vector<int>>;

std::vector<char> reachable(const graph& edges, int start) {
  std::vector<std::atomic<bool>> is_seen(edges.size());
  is_seen[static_cast<std::size_t>(start)] = true;
  filch::for_each_worklist(std::vector<int>{start}, [&](int node, filch::feeder<int>& more) {
    for (const int next : edges[static_cast<std::size_t>(node)]) {
      if (!is_seen[static_cast<std::size_t>(next)].exchange(true)) more.add(next);
    }
  });
  return {is_seen.begin(), is_seen.end()};
}
// [for_each_worklist]

// [options]
// A function of your own takes the option by its type, and passes it on.
double total(const std::vector<double>& values) { return filch::reduce(filch::par, values); }
double total(filch::deterministic_t, const std::vector<double>& values) {
  return filch::reduce(filch::with(filch::deterministic), values);
}

// Both sorts together run on at most two threads. Other workers stay free for other work.
void sort_both(std::vector<double>& left, std::vector<double>& right) {
  filch::share two(2);
  filch::join([&] { filch::sort(filch::with(two), left); },
              [&] { filch::sort(filch::with(two), right); });
}
// [options]

// [stages]
// A stage as a value: its type says how many items it takes at a time.
using to_upper = filch::pipeline_stage<filch::stage_order::parallel, std::string (*)(std::string)>;

std::string upper(std::string word) {
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

std::size_t letters_of(std::vector<std::string> words) {
  std::size_t letters = 0;  // needs no lock, since its stage is serial
  filch::pipeline(
      filch::items_in_flight{4},
      [&]() -> std::optional<std::string> {
        if (words.empty()) return std::nullopt;
        std::string last = std::move(words.back());
        words.pop_back();
        return last;
      },
      to_upper{upper},
      filch::serial_stage([&](const std::string& word) { letters += word.size(); }));
  return letters;
}
// [stages]

// [views]
namespace views = filch::views;

void of_two_ranges_or_with_places() {
  std::vector<double> prices{3.0, 1.0, 2.0};
  std::vector<std::string> goods{"tea", "salt", "rice"};
  const auto price = [](const auto& each) { return std::get<0>(each); };
  filch::sort(views::zip(prices, goods), {}, price);
  check("both are sorted by price", goods == std::vector<std::string>{"salt", "rice", "tea"});

  const std::vector<int> load{5, 90, 20, 95};
  const auto hot = [](const auto& each) { return std::get<1>(each) > 80; };
  const auto at = [](const auto& each) { return std::get<0>(each); };
  const auto hours = load | views::enumerate | views::filter(hot) | views::transform(at) |
                     filch::to<std::vector>();
  check("hours 1 and 3 are hot", hours == std::vector<std::uint64_t>{1, 3});

  const auto sum_of = [](auto day) { return std::accumulate(day.begin(), day.end(), 0); };
  std::vector<int> sums(2);
  filch::transform(load | views::chunk(2), sums, sum_of);
  check("sums of two neighbors", sums == std::vector<int>{95, 115});
}
// [views]

}  // namespace

int main() {
  check("two rows", transposed({1, 2, 3, 4, 5, 6}, 2, 3) == std::vector<double>{1, 4, 2, 5, 3, 6});
  check("powers of two", powers(2, 100)[10] == 1'024);
  check("sum", sum(std::vector<int>(1'000, 3)) == 3'000);
  check("2 leads to 3 and 0",
        reachable({{3}, {2}, {3, 0}, {2}}, 2) == std::vector<char>{1, 0, 1, 1});
  const std::vector<double> tenths(1'000, 0.1);
  check("the same bits",
        total(filch::deterministic, tenths) == total(filch::deterministic, tenths));
  check("about 100", std::abs(total(tenths) - 100) < 1e-9);
  std::vector<double> left{2, 1}, right{4, 3};
  sort_both(left, right);
  check("both sorted", left.front() == 1 && right.front() == 3);
  check("letters", letters_of({"steal", "work"}) == 9);
  of_two_ranges_or_with_places();
  return wrong_claims == 0 ? 0 : 1;
}
