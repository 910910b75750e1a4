#pragma once
#include <filch/dist/archive.hpp>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace filch::inline v0_2::dist {

/// Results in the order of their keys, though tasks end in any order: each task adds what it found
/// with a key, and `sorted` has them all.
///
///     dist::monoid{dist::by_key<int, std::string>{}, dist::by_key<int, std::string>::meet}
///
/// Cost:    memory of all results on every rank; a sort at the end.
/// Example: examples/dist_tasks.cpp
template <class Key, class Value>
class by_key {
 public:
  using item = std::pair<Key, Value>;

  void add(Key key, Value value) { items_.emplace_back(std::move(key), std::move(value)); }
  /// The items by ascending key. Those of one key are in any order.
  std::vector<item> sorted() && {
    std::ranges::sort(items_, {}, &item::first);
    return std::move(items_);
  }
  static by_key meet(by_key a, by_key b) {
    if (a.items_.size() < b.items_.size()) std::swap(a, b);
    a.items_.insert(a.items_.end(), std::make_move_iterator(b.items_.begin()),
                    std::make_move_iterator(b.items_.end()));
    return a;
  }
  template <class A>
  void serialize(A& archive) {
    archive& items_;
  }

 private:
  std::vector<item> items_;
};

}  // namespace filch::dist
