#pragma once
// Real threads on one deque: an owner that works in bursts, thieves that steal one or half, and a
// count of what was delivered. Between calls the threads only record what they got: an atomic count
// there would hide the faults that this test looks for.
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/queue/deque.hpp>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace filch::inline v0_2::queue {

/// Contents that only the deque's own orders hand over.
struct item {
  std::size_t contents = 0;
};

template <class Sync>
class deque_rush {
 public:
  deque_rush(unsigned thief_count, std::size_t burst, std::size_t round_items = 1 << 15)
      : burst_{burst}, items_(round_items / burst * burst), loot_(1 + thief_count) {}

  /// Repeats rounds until `deadline_ns` or the first fault; returns how many items were not
  /// delivered exactly once.
  std::size_t run_until(std::uint64_t deadline_ns) {
    std::size_t fault_count = 0;
    do fault_count = round();
    while (fault_count == 0 && base::now_ns() < deadline_ns);
    return fault_count;
  }
  /// The number of pushes, pops and steals that were done and checked.
  std::uint64_t operations() const noexcept { return operations_; }

 private:
  using deque = queue::deque<item*, Sync>;
  using loot = std::vector<std::size_t>;

  std::size_t round() {
    for (item& each : items_) each.contents = 0;
    for (loot& each : loot_) each.reserve(items_.size());
    deque victim{{.capacity = 2, .first_index = -1000}};
    std::atomic<bool> over{false};
    std::vector<base::thread> thieves;
    for (unsigned i = 1; i < loot_.size(); ++i) {
      const auto steal = i % 2 == 1 ? &deque_rush::steal_singly : &deque_rush::steal_halves;
      thieves.push_back(
          base::start_thread(i, [&, i, steal] { (this->*steal)(victim, over, loot_[i]); }));
    }
    own(victim, loot_[0]);
    over.store(true);
    for (base::thread& thief : thieves) thief.join();
    operations_ += 2 * items_.size();
    return count_faults();
  }

  void own(deque& queue, loot& mine) {
    for (std::size_t first = 0; first < items_.size(); first += burst_) {
      for (std::size_t i = first; i < first + burst_; ++i) {
        items_[i].contents = i + 1;
        queue.push(&items_[i]);
      }
      const bool oldest_first = first / burst_ % 4 == 3;
      for (std::size_t left = burst_; left > 0; --left) {
        if (const auto got = oldest_first ? queue.take_oldest() : queue.pop())
          mine.push_back(contents_of(*got));
      }
    }
    while (const auto got = queue.pop()) mine.push_back(contents_of(*got));
  }

  void steal_singly(deque& queue, const std::atomic<bool>& over, loot& mine) {
    while (!over.load(std::memory_order_relaxed)) {
      if (const auto got = queue.steal()) mine.push_back(contents_of(got.item));
    }
  }

  void steal_halves(deque& queue, const std::atomic<bool>& over, loot& mine) {
    deque own_queue{{.capacity = 1}};
    while (!over.load(std::memory_order_relaxed)) {
      static_cast<void>(queue.steal_half_into(own_queue));
      while (const auto got = own_queue.pop()) mine.push_back(contents_of(*got));
    }
  }

  /// A broken deque may deliver a slot that was never filled.
  static std::size_t contents_of(const item* got) noexcept {
    return got == nullptr ? 0 : got->contents;
  }

  std::size_t count_faults() {
    std::vector<int> delivery_count(items_.size() + 1);
    for (loot& each : loot_) {
      for (const std::size_t contents : each) ++delivery_count[contents];
      each.clear();
    }
    const auto once = std::count(delivery_count.begin() + 1, delivery_count.end(), 1);
    return items_.size() - static_cast<std::size_t>(once);
  }

  std::size_t burst_;
  std::uint64_t operations_ = 0;
  std::vector<item> items_;
  std::vector<loot> loot_;  ///< The owner's, then one per thief.
};

}  // namespace filch::queue
