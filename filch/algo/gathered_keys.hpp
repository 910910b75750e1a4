#pragma once
#include <filch/algo/partitioned_map.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace filch::inline v0_2::algo {

/// Adds `value` to `sum`. Inlined if elements are counted: a call takes as long as a look-up.
template <class Sum, class Value, class Combine>
[[gnu::always_inline]] inline void fold_into(Sum& sum, Value&& value, Combine& combine) {
  sum = static_cast<Sum>(std::invoke(combine, std::move(sum), std::forward<Value>(value)));
}

/// Adds `value` to the entry of `key` in `table`. A new key starts with this value.
template <class Map, class Key, class Value, class Combine>
[[gnu::always_inline]] inline void add_to(Map& table, Key&& key, Value&& value, Combine& combine) {
  if constexpr (requires {
                  table.try_emplace(std::forward<Key>(key), std::forward<Value>(value));
                }) {
    const auto [at, is_new] = table.try_emplace(std::forward<Key>(key), std::forward<Value>(value));
    if (!is_new) fold_into(at->second, std::forward<Value>(value), combine);  // still unmoved
  } else {  // a key of another type, of which the table makes its own
    const auto at = table.find(key);
    if (at != table.end()) return fold_into(at->second, std::forward<Value>(value), combine);
    table.emplace(std::forward<Key>(key), std::forward<Value>(value));
  }
}

/// A list that moves no element when it grows.
template <class T>
class bag {
 public:
  T* last() noexcept { return now_.empty() ? nullptr : &now_.back(); }
  void add(T&& one) {
    if (now_.size() == now_.capacity()) grow();
    now_.push_back(std::move(one));
  }
  /// Passes all elements to `f`, and destroys them.
  template <class F>
  void drain(F f) {
    full_.push_back(std::move(now_));
    now_ = {};
    for (std::vector<T>& block : full_) {
      for (T& each : block) f(each);
      block = {};
    }
    full_.clear();
  }

 private:
  static constexpr std::size_t longest_block = 1024, first_block = 16;

  void grow() {
    const std::size_t size = (std::clamp)(2 * now_.size(), first_block, longest_block);
    std::vector<T> fresh;
    fresh.reserve(size);
    if (!now_.empty()) full_.push_back(std::move(now_));
    now_ = std::move(fresh);
  }

  std::vector<T> now_;
  std::vector<std::vector<T>> full_;
};

/// A copied key, with the value of one or more elements.
template <class Key, class Value>
struct kept_key {
  Key key;
  Value value;

  template <class K, class V>
  kept_key(std::uint64_t, std::uint64_t, K&& k, V&& v)
      : key(static_cast<Key>(std::forward<K>(k))), value(static_cast<Value>(std::forward<V>(v))) {}
  template <class K, class Source, class Equal>
  bool has(std::uint64_t, const K& other, const Source&, const Equal& equal) const {
    return equal(key, other);
  }
  template <class Source>
  Key&& take_key(const Source&) noexcept {
    return std::move(key);
  }
};

/// A large key: keeps the place of its element, and asks that for the key again.
template <class Value>
struct placed_key {
  std::uint64_t at, hash;
  Value value;

  template <class K, class V>
  placed_key(std::uint64_t place, std::uint64_t hashed, K&&, V&& v)
      : at{place}, hash{hashed}, value(static_cast<Value>(std::forward<V>(v))) {}
  template <class K, class Source, class Equal>
  bool has(std::uint64_t hashed, const K& other, const Source& from, const Equal& equal) const {
    return hash == hashed && equal(from.key_at(at), other);
  }
  template <class Source>
  decltype(auto) take_key(const Source& from) const {
    return from.key_at(at);
  }
};

/// What one worker, or one chunk of the range, gathers. It uses a table of its own as long as the
/// cache holds it. Beyond that, elements go into bags, one for each part of the hashes. When a bag
/// is complete, it is added up in a table, which is small again.
///
/// An element whose key its bag got last is added to that entry. So a bag stays short even if one
/// key has many of all elements.
template <class Map, class Source, class Combine>
class gathered_keys {
 public:
  /// With 10^5 keys a table takes 12 ns an element; with 10^6, bags and their tables take 25.
  static constexpr std::size_t most_keys = std::size_t{1} << 17;

  using entry = typename Source::template entry<Map>;
  using node = std::remove_reference_t<decltype(*std::declval<Map&>().begin())>;

  /// Into parts of that many bits, in tables like `empty`.
  gathered_keys(const Map& empty, unsigned bits) : table_(empty), bits_{bits} {}

  /// Adds all elements of some places.
  void gather(const Source& from, std::uint64_t begin, std::uint64_t end, Combine& combine) {
    if (!bags_.empty()) return put_away(from, begin, end, combine);
    std::uint64_t elements = 0;
    from.visit(begin, end, [&]<class K, class V>(std::uint64_t, K&& key, V&& value) {
      ++elements;
      add_to(table_, std::forward<K>(key), std::forward<V>(value), combine);
    });
    added_ += elements;
    if (is_table_too_small()) bags_.resize(std::size_t{1} << bits_);
  }

  bool has_bags() const noexcept { return !bags_.empty(); }
  Map& table() noexcept { return table_; }
  const Map& table() const noexcept { return table_; }
  /// The table's nodes that belong to a part. Call after `divide`.
  std::vector<node*>& nodes(std::size_t part) noexcept { return nodes_[part]; }

  /// Records which nodes of the table belong to each part.
  void divide(unsigned bits) {
    nodes_.resize(std::size_t{1} << bits);
    for (auto& each : nodes_) each.reserve((table_.size() >> bits) * 9 / 8);
    const auto hash = table_.hash_function();
    for (node& each : table_) {
      nodes_[bits == 0 ? 0 : part_of(hash_of(hash, each.first), bits)].push_back(&each);
    }
  }
  /// Adds what there is for a part to its table. Call once for each part, after `divide`.
  void hand_over(std::size_t part, const Source& from, Map& to, Combine& combine) {
    for (node* const each : nodes_[part]) add_to(to, each->first, std::move(each->second), combine);
    if (bags_.empty()) return;
    bags_[part].drain(
        [&](entry& each) { add_to(to, each.take_key(from), std::move(each.value), combine); });
  }

 private:
  bool is_table_too_small() noexcept {
    const std::uint64_t keys = table_.size();
    if (bits_ == 0 || keys < keys_of_sample) return false;
    const bool are_nearly_all_new = !std::exchange(was_sampled_, true) && added_ - keys < keys / 64;
    return are_nearly_all_new || keys > most_keys;
  }

  void put_away(const Source& from, std::uint64_t begin, std::uint64_t end, Combine& combine) {
    const auto hash = table_.hash_function();
    const auto equal = table_.key_eq();
    from.visit(begin, end, [&]<class K, class V>(std::uint64_t at, K&& key, V&& value) {
      const std::uint64_t hashed = hash_of(hash, key);
      bag<entry>& in = bags_[part_of(hashed, bits_)];
      entry* const last = in.last();
      if (last != nullptr && last->has(hashed, key, from, equal)) {
        fold_into(last->value, std::forward<V>(value), combine);
      } else {
        in.add(entry(at, hashed, std::forward<K>(key), std::forward<V>(value)));
      }
    });
  }

  /// If nearly all of this many keys are new, there are at least 2^18 keys.
  static constexpr std::size_t keys_of_sample = std::size_t{1} << 13;

  Map table_;
  unsigned bits_;            ///< 0: the table has all keys.
  std::uint64_t added_ = 0;  ///< Elements added to the table.
  bool was_sampled_ = false;
  std::vector<bag<entry>> bags_;           ///< By part. Empty as long as the table is enough.
  std::vector<std::vector<node*>> nodes_;  ///< Nodes of the table, by part.
};

}  // namespace filch::algo
