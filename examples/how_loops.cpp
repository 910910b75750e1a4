// Loops, algorithms and recursion: the programs of the pages in docs/guide/how that need no task.
#include <filch/algo.hpp>
#include <filch/fork.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

// [grain]
// Cheap and expensive iterations in one loop: no number says how many run between two forks.
std::vector<double> costs(std::size_t count) {
  std::vector<double> sums(count);
  filch::parallel_for(0, count, [&](std::size_t i) {
    for (std::size_t step = 0; step < i % 1'000; ++step) sums[i] += std::sqrt(double(step));
  });
  return sums;
}

// Only if a part has a cost of its own, here a vector: no part has more than 512 elements.
long with_scratch(const std::vector<int>& values) {
  filch::worker_local<long> sums;
  filch::for_each_chunk(filch::with(filch::grain_items{512}), values, [&](auto chunk) {
    const std::vector<int> scratch(chunk.begin(), chunk.end());
    sums.local() += std::accumulate(scratch.begin(), scratch.end(), 0L);
  });
  return sums.combine(std::plus<>{});
}
// [grain]

// [pipeline]
// Lines come in one by one, are worked on side by side, and go out in their order. At most eight
// lines are in memory at a time.
std::string numbered(const std::vector<std::string>& lines) {
  std::string out;
  std::size_t next = 0;
  filch::pipeline(
      filch::items_in_flight{8},
      [&]() -> std::optional<std::string> {  // the source: one call at a time
        if (next == lines.size()) return std::nullopt;
        ++next;
        return std::to_string(next) + " " + lines[next - 1];
      },
      filch::parallel_stage([](std::string line) {  // several at a time
        for (char& c : line) c = c == 'a' ? 'A' : c;
        return line;
      }),
      filch::serial_in_order_stage([&](std::string line) { out += line + '\n'; }));
  return out;
}
// [pipeline]

// [by_key]
struct sale {
  std::string shop;
  double price;
};

// How much each shop has sold, and how often.
void by_shop(const std::vector<sale>& sales, double& revenue_of_first, std::uint64_t& sales_there) {
  const auto revenue = filch::reduce_by_key(sales, &sale::shop, &sale::price);
  const auto counts = filch::count_by_key(sales, &sale::shop);
  revenue_of_first = revenue.value_or(sales.front().shop, 0);
  sales_there = counts.value_or(sales.front().shop, 0);
  for (const auto& [shop, sum] : revenue) {  // in no order
    if (sum < 0) std::printf("%s has given money away\n", shop.c_str());
  }
}
// [by_key]

// [same_bits]
// The same 64 bits in each run, on any number of workers.
double total(const std::vector<double>& values) {
  return filch::reduce(filch::with(filch::deterministic), values);
}
double norm(const std::vector<double>& values) {
  const auto square = [](double each) { return each * each; };
  return std::sqrt(filch::transform_reduce(filch::with(filch::deterministic), values, 0.0,
                                           std::plus<>{}, square));
}
// [same_bits]

// [per_worker]
// A buffer that words are written to backwards: one for each worker, none for each word.
struct own {
  std::string buffer;
  long found = 0;
};

long palindromes(const std::vector<std::string>& words) {
  filch::worker_local<own> values;  // each is made when its worker first calls `local`
  filch::for_each_chunk(words, [&](auto chunk) {
    own& mine = values.local();  // once a chunk: it costs 3 to 4 ns
    for (const std::string& word : chunk) {
      mine.buffer.assign(word.rbegin(), word.rend());
      if (mine.buffer == word) ++mine.found;
    }
  });
  long found = 0;
  for (const own& each : values) found += each.found;  // after the loop, on one thread
  return found;
}
// [per_worker]

// [exceptions]
// The exception comes out of the loop, as from a plain loop. `parsed` stays valid.
std::string parse_all(const std::vector<std::string>& texts, std::vector<int>& parsed) {
  parsed.resize(texts.size());
  try {
    filch::parallel_for(0, texts.size(), [&](std::size_t i) {
      if (texts[i].empty()) throw std::runtime_error("no number in line " + std::to_string(i));
      parsed[i] = std::stoi(texts[i]);
    });
  } catch (const std::exception& failed) {
    return failed.what();
  }
  return "";
}
// [exceptions]

// [recursion]
struct node {
  long value = 1;
  std::unique_ptr<node> left, right;
};

long sum(const node* of) {
  if (of == nullptr) return 0;
  const auto [left, right] =
      filch::join([of] { return sum(of->left.get()); }, [of] { return sum(of->right.get()); });
  return of->value + left + right;
}
// [recursion]

std::unique_ptr<node> tree(int height) {
  auto made = std::make_unique<node>();
  if (height > 1) {
    made->left = tree(height - 1);
    made->right = tree(height - 1);
  }
  return made;
}

// [ranges]
struct person {
  std::string name;
  int age;
};

std::vector<int> ages_so_far(std::vector<person>& people) {
  namespace views = filch::views;
  filch::sort(people, std::less<>{}, &person::age);  // `stable_sort` keeps the order of equal ones

  const std::vector<int> ages = people |
                                views::filter([](const person& each) { return each.age >= 18; }) |
                                views::transform(&person::age) | filch::to<std::vector>();

  std::vector<int> sums(ages.size());
  filch::inclusive_scan(ages, sums.begin());  // sums[i] is the sum of ages[0] to ages[i]
  return sums;
}
// [ranges]

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  std::vector<int> numbers(100'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  const std::vector<double> thirds(100'000, 1.0 / 3);
  std::vector<person> people{{"Ada", 36}, {"Bo", 7}, {"Cy", 18}};
  std::vector<int> parsed;
  double revenue = 0;
  std::uint64_t count = 0;
  by_shop({{"north", 2}, {"south", 3}, {"north", 5}}, revenue, count);

  bool is_right = check("grain", costs(2'000)[2] == 1);
  is_right &= check("scratch", with_scratch(numbers) == 4'999'950'000);
  is_right &= check("pipeline", numbered({"a", "b", "ca"}) == "1 A\n2 b\n3 cA\n");
  is_right &= check("by_key", revenue == 7 && count == 2);
  is_right &= check("same_bits", total(thirds) == total(thirds) && norm(thirds) == norm(thirds));
  is_right &= check("per_worker", palindromes({"level", "stone", "noon"}) == 2);
  is_right &= check("exceptions", parse_all({"1", "", "3", ""}, parsed) == "no number in line 1");
  is_right &= check("recursion", sum(tree(12).get()) == 4'095);
  is_right &= check("ranges", ages_so_far(people) == std::vector<int>{18, 54});
  return is_right ? 0 : 1;
}
