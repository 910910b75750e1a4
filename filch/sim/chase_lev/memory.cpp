#include <filch/sim/chase_lev/memory.hpp>

#include <algorithm>

namespace filch::inline v0_2::sim::chase_lev {

std::string name_of(cell where) {
  if (where == top) return "top";
  if (where == bottom) return "bottom";
  return "slot " + std::to_string(where - first_slot);
}

bool store_buffer::may_leave(std::size_t position) const {
  if (waiting_[position].is_release) return position == 0;
  return std::none_of(
      waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(position),
      [&](const late_store& earlier) { return earlier.where == waiting_[position].where; });
}

late_store store_buffer::leave(std::size_t position) {
  const late_store store = waiting_[position];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(position));
  return store;
}

const int* store_buffer::find(cell where) const {
  const auto youngest = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                     [&](const late_store& each) { return each.where == where; });
  return youngest == waiting_.rend() ? nullptr : &youngest->value;
}

int view::load(cell where) const {
  const int* mine = mine_.find(where);
  return mine != nullptr ? *mine : words_[where];
}

void view::store(cell where, int value, store_order order) {
  if (order == store_order::seq_cst || !stores_are_late_) {
    make_all_visible();
    words_[where] = value;
  } else {
    mine_.add({where, value, order == store_order::release});
  }
}

bool view::compare_exchange(cell where, int expected, int desired) {
  make_all_visible();
  if (words_[where] != expected) return false;
  words_[where] = desired;
  return true;
}

void view::make_all_visible() {
  while (!mine_.waiting().empty()) {
    const late_store next = mine_.leave(0);
    words_[next.where] = next.value;
  }
}

}  // namespace filch::sim::chase_lev
