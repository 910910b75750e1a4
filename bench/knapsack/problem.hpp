#pragma once
// The most valuable load of a knapsack, by branch and bound: how much is searched depends on how
// early a good load is found. The benchmark of the Cilk suite, with its bound: the rest of the room
// filled with what is densest, in parts if need be.
#include <filch/base/rng.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::knapsack {

struct parameters {
  std::size_t count = 36;
  std::uint64_t seed = 1;
};

struct item {
  std::int64_t value, weight;
};

/// Items, the densest first, and room for half of their weight.
struct goods {
  std::vector<item> items;
  std::int64_t room = 0;

  explicit goods(const parameters& p) : items(p.count) {
    filch::base::split_mix64 random{p.seed};
    for (item& each : items) {
      each.weight = 1'000 + static_cast<std::int64_t>(random() % 1'000);
      // The hard case: what is light is dense, and nothing else tells items apart
      each.value = each.weight + 100;
      room += each.weight;
    }
    room /= 2;
    std::ranges::sort(items, [](const item& a, const item& b) {
      return a.value * b.weight > b.value * a.weight;
    });
  }
};

/// Where the search stands: what was decided for the items before `next`.
struct load {
  std::size_t next = 0;
  std::int64_t room = 0, value = 0;

  load without() const noexcept { return {next + 1, room, value}; }
  load with(const item& taken) const noexcept {
    return {next + 1, room - taken.weight, value + taken.value};
  }
};

/// The best load found so far. Relaxed: a worker that sees an old one searches more and finds the
/// same.
class best_value {
 public:
  std::int64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }
  void raise(std::int64_t value) noexcept {
    for (std::int64_t seen = get();
         seen < value && !value_.compare_exchange_weak(seen, value, std::memory_order_relaxed);) {
    }
  }

 private:
  std::atomic<std::int64_t> value_{0};  ///< Writers and readers: all. Only grows.
};

/// Whether no load that begins like `at` can be better than `best`.
inline bool is_hopeless(const goods& all, const load& at, std::int64_t best) noexcept {
  if (at.room < 0) return true;
  if (at.next == all.items.size()) return at.value <= best;
  const item& densest = all.items[at.next];
  return at.value + at.room * densest.value / densest.weight <= best;
}

/// Searches what begins like `at`: first with the next item, then without.
template <class Both>
void search(const goods& all, const load& at, best_value& best, const Both& both) {
  if (is_hopeless(all, at, best.get())) return;
  best.raise(at.value);
  if (at.next == all.items.size()) return;
  both([&] { search(all, at.with(all.items[at.next]), best, both); },
       [&] { search(all, at.without(), best, both); });
}

/// The best value by a table over all weights. Cost: O(count room).
inline std::int64_t by_table(const goods& all) {
  std::vector<std::int64_t> best(static_cast<std::size_t>(all.room) + 1);
  for (const item& each : all.items) {
    const auto weight = static_cast<std::size_t>(each.weight);
    for (std::size_t room = best.size(); room-- > weight;)
      best[room] = std::max(best[room], best[room - weight] + each.value);
  }
  return best.back();
}

/// Says what is wrong with `value`; empty when nothing.
inline std::string check(const goods& all, std::int64_t value) {
  const std::int64_t expected = by_table(all);
  if (value == expected) return {};
  return "the best load is worth " + std::to_string(expected) + ", not " + std::to_string(value);
}

}  // namespace bench::knapsack
