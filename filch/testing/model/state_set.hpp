#pragma once
#include <cstdint>
#include <vector>

namespace filch::inline v0_2::testing {

/// The states that were reached, and the fewest preemptions that led to each. Open addressing: 16
/// bytes a state at best, 32 at worst.
class state_set {
 public:
  state_set() : entries_(std::size_t{1} << 12) {}

  /// False: the state was reached before at no higher cost, so it leads to nothing new.
  bool meet(std::uint64_t state, unsigned cost) {
    if (2 * count_ >= entries_.size()) grow();
    entry& found = find(state != 0 ? state : 1);
    if (found.state != 0 && found.cost <= cost) return false;
    count_ += found.state == 0;
    found = {state != 0 ? state : 1, cost};
    return true;
  }
  std::uint64_t size() const noexcept { return count_; }

 private:
  struct entry {
    std::uint64_t state = 0;
    unsigned cost = 0;
  };

  entry& find(std::uint64_t state) {
    std::size_t at = state & (entries_.size() - 1);
    while (entries_[at].state != 0 && entries_[at].state != state)
      at = (at + 1) & (entries_.size() - 1);
    return entries_[at];
  }
  void grow() {
    std::vector<entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const entry& each : old) {
      if (each.state != 0) find(each.state) = each;
    }
  }

  std::vector<entry> entries_;
  std::uint64_t count_ = 0;
};

}  // namespace filch::testing
