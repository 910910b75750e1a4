#pragma once
// Memory in which stores take effect late: the part of a weak memory model that shows the deque's
// faults.
#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace filch::inline v0_2::sim::chase_lev {

inline constexpr int ring_size = 4;

/// The words that owner and thief share: the two indices, and a ring of slots.
enum cell : std::uint8_t { top, bottom, first_slot };
inline constexpr int cell_count = first_slot + ring_size;
constexpr cell slot_at(int index) noexcept {
  return static_cast<cell>(first_slot + index % ring_size);
}
std::string name_of(cell where);

/// The order of a store: none; after all stores before it; or also before all that follows it.
enum class store_order : std::uint8_t { relaxed, release, seq_cst };

struct late_store {
  cell where;
  int value;
  bool is_release;
  auto operator<=>(const late_store&) const = default;
};

/// The stores of one thread that others do not see yet. They leave in any order, except those to
/// the same word and releases.
class store_buffer {
 public:
  const std::vector<late_store>& waiting() const noexcept { return waiting_; }
  bool may_leave(std::size_t position) const;
  late_store leave(std::size_t position);
  void add(late_store store) { waiting_.push_back(store); }
  /// The youngest value for `where`, or null.
  const int* find(cell where) const;

  auto operator<=>(const store_buffer&) const = default;

 private:
  std::vector<late_store> waiting_;
};

using shared_words = std::array<int, cell_count>;

/// The shared words as one thread sees them.
class view {
 public:
  view(shared_words& words, store_buffer& mine, bool stores_are_late)
      : words_{words}, mine_{mine}, stores_are_late_{stores_are_late} {}

  int load(cell where) const;
  void store(cell where, int value, store_order order);
  /// Whether `where` was `expected` and is `desired` now. Needs everything before it to be visible.
  bool compare_exchange(cell where, int expected, int desired);

 private:
  void make_all_visible();

  shared_words& words_;
  store_buffer& mine_;
  bool stores_are_late_;
};

}  // namespace filch::sim::chase_lev
