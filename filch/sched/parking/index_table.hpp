#pragma once
#include <filch/base/sync.hpp>
#include <filch/sched/edges.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace filch::inline v0_2::sched {

/// Which workers of a pool are in use: those of pool threads for good, those of external threads
/// while these compute. The lowest free index is taken first, so that a look at all workers is
/// short, also after a thousand threads have come and gone.
/// Threads: under the parking lock, except `bound`.
class index_table {
 public:
  explicit index_table(unsigned capacity) : free_((capacity + 63) / 64) {}

  /// Takes the lowest index that was put back; `none` if there is none.
  static constexpr unsigned none = ~0u;
  unsigned take() noexcept {
    for (std::size_t i = 0; i < free_.size(); ++i) {
      if (free_[i] == 0) continue;
      const auto index =
          static_cast<unsigned>(64 * i) + static_cast<unsigned>(std::countr_zero(free_[i]));
      free_[i] &= free_[i] - 1;
      note_use(index);
      return index;
    }
    return none;
  }
  void put_back(unsigned index) noexcept {
    free_[index / 64] |= std::uint64_t{1} << index % 64;
    unsigned bound = this->bound();
    while (bound != 0 && is_free(bound - 1)) --bound;
    bound_.store(bound, base::release<edge::enlist>);
  }
  /// Call for a new worker, which was never put back.
  void note_use(unsigned index) noexcept {
    if (index >= bound()) bound_.store(index + 1, base::release<edge::enlist>);
  }
  /// All workers in use have indices below it. Cost: a load.
  unsigned bound() const noexcept { return bound_.load(base::acquire<edge::enlist>); }

 private:
  bool is_free(unsigned index) const noexcept { return (free_[index / 64] >> index % 64 & 1) != 0; }

  std::vector<std::uint64_t> free_;  ///< A bit an index.
  base::atomic<unsigned> bound_{0};  ///< Writers: under the parking lock. Readers: all.
};

}  // namespace filch::sched
