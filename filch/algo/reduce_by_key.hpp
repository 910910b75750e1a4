#pragma once
#include <filch/algo/chunk_queue.hpp>
#include <filch/algo/gathered_keys.hpp>
#include <filch/algo/ranges/stream.hpp>

#include <bit>
#include <functional>
#include <unordered_map>

namespace filch::inline v0_2 {
namespace algo {

/// A type that is a table, such as `std::unordered_map`.
template <class Map>
concept key_table = std::copy_constructible<Map> &&
    requires(Map& map, const Map& seen, const typename Map::key_type& key) {
  typename Map::mapped_type;
  seen.hash_function()(key);
  seen.key_eq()(key, key);
  map.find(key) == map.end();
  map.emplace(key, std::declval<typename Map::mapped_type>());
};

/// The result of `Key` for an element.
template <class Key, class Reference>
using key_result = std::invoke_result_t<Key&, std::remove_reference_t<Reference>&>;
/// The key that a table keeps. A proxy for an element, such as a bit of a vector, is not kept.
template <class Key, class Reference, class Element>
using key_to_keep = std::conditional_t<std::same_as<Key, std::identity>, Element,
                                       std::remove_cvref_t<key_result<Key, Reference>>>;

/// Whether a copy of the key costs no more than the place of its element.
template <class T>
inline constexpr bool is_cheap_key = std::is_trivially_copyable_v<T> && sizeof(T) <= 16;

/// The elements of a range, each with its key and its value.
template <class It, class Key, class Value>
struct keyed_range {
  It first;
  std::uint64_t count;
  Key& key;
  Value& value;

  using seen = key_result<Key, std::iter_reference_t<It>>;
  template <class Map>
  using entry = std::conditional_t<is_cheap_key<typename Map::key_type> ||
                                       std::same_as<seen, typename Map::key_type>,
                                   kept_key<typename Map::key_type, typename Map::mapped_type>,
                                   placed_key<typename Map::mapped_type>>;

  std::uint64_t places() const noexcept { return count; }
  decltype(auto) key_at(std::uint64_t i) const {
    auto&& each = *advance(first, i);
    return std::invoke(key, each);
  }
  template <class F>
  void visit(std::uint64_t from, std::uint64_t to, F&& f) const {
    for (auto at = advance(first, from); from != to; ++from, ++at) {
      auto&& each = *at;
      f(from, std::invoke(key, each), std::invoke(value, each));
    }
  }
};

/// The elements of a stream, which do not stay.
template <class S, class Key, class Value>
struct keyed_stream {
  const S& from;
  Key& key;
  Value& value;

  template <class Map>
  using entry = kept_key<typename Map::key_type, typename Map::mapped_type>;

  std::uint64_t places() const { return from.positions(); }
  template <class F>
  void visit(std::uint64_t begin, std::uint64_t end, F&& f) const {
    from.visit(begin, end, [&](auto&& each) {
      f(std::uint64_t{0}, std::invoke(key, each), std::invoke(value, each));
      return true;
    });
  }
};

/// Calls `f(i)` for each i below `count`. Each call is worth a steal.
template <class F>
void for_each_of(const settings& given, std::uint64_t count, F f) {
  settings how = given.with_same_limit();
  how.grain = 1;
  for_chunks(how, count, [&](std::uint64_t i, std::uint64_t end) {
    for (; i != end; ++i) f(i);
  });
}

/// Lets each worker gather.
template <class Gathered, class Source, class Map, class Combine>
std::vector<Gathered> gather_by_workers(const settings& how, const Source& from, const Map& empty,
                                        unsigned bits, Combine& combine) {
  const auto gather = [&](chunk_queue::taker& mine) {
    std::vector<Gathered> one;
    one.emplace_back(empty, bits);
    while (mine.next()) one.front().gather(from, mine.from(), mine.to(), combine);
    return one;
  };
  return chunk_queue(how, from.places()).fold(gather, [](std::vector<Gathered> left, auto right) {
    left.insert(left.end(), std::make_move_iterator(right.begin()),
                std::make_move_iterator(right.end()));
    return left;
  });
}

/// Gathers from chunks whose length follows from that of the range, and keeps their order.
template <class Gathered, class Source, class Map, class Combine>
std::vector<Gathered> gather_by_chunks(const settings& how, const Source& from, const Map& empty,
                                       Combine& combine) {
  const std::uint64_t length = policy::fixed_chunk(from.places(), Gathered::most_keys);
  std::vector<Gathered> all((from.places() - 1) / length + 1, Gathered(empty, 0));
  for_each_of(how, all.size(), [&](std::uint64_t chunk) {
    const std::uint64_t begin = chunk * length;
    all[chunk].gather(from, begin, (std::min)(begin + length, from.places()), combine);
  });
  return all;
}

/// The number of parts for that many elements: about 16,384 elements for each, which the cache
/// holds.
constexpr unsigned bits_of_parts(std::uint64_t elements) noexcept {
  const auto wanted = static_cast<unsigned>(std::bit_width(elements >> 14));
  return (std::clamp)(wanted, 6u, 10u);
}

/// Adds all tables to the first one. Workers that have seen many elements with few keys have seen
/// the same keys. So nearly all keys are found, and any number of workers may do that at once.
template <class Map, class Gathered, class Combine>
Map add_tables(const settings& how, std::vector<Gathered>& all, Combine& combine) {
  Map whole = std::move(all.front().table());
  for_each_of(how, all.size() - 1, [&](std::uint64_t i) { all[i + 1].divide(0); });
  for (std::size_t i = 1; i != all.size(); ++i) {
    auto& nodes = all[i].nodes(0);
    for_chunks(how, nodes.size(), [&](std::uint64_t at, std::uint64_t end) {
      for (; at != end; ++at) {
        auto* const each = std::exchange(nodes[at], nullptr);
        const auto known = whole.find(each->first);
        if (known == whole.end()) {
          nodes[at] = each;
        } else {
          fold_into(known->second, std::move(each->second), combine);
        }
      }
    });
    for (auto* const each : nodes) {
      if (each != nullptr) whole.emplace(each->first, std::move(each->second));
    }
  }
  return whole;
}

/// Adds all that was gathered, in that order, part by part.
template <class Map, class Gathered, class Source, class Combine>
std::vector<Map> add_parts(const settings& how, std::vector<Gathered>& all, const Source& from,
                           const Map& empty, unsigned bits, Combine& combine) {
  std::vector<Map> parts(std::size_t{1} << bits, empty);
  for_each_of(how, all.size(), [&](std::uint64_t i) { all[i].divide(bits); });
  for_each_of(how, parts.size(), [&](std::uint64_t part) {
    for (Gathered& one : all) one.hand_over(part, from, parts[part], combine);
  });
  return parts;
}

/// Frees what was gathered: a table of many keys takes as long as filling it again.
template <class Gathered>
void drop_gathered(const settings& how, std::vector<Gathered>& all, const auto& empty) {
  for_each_of(how, all.size(), [&](std::uint64_t i) { all[i] = Gathered(empty, 0); });
}

template <class Map, class Source, class Combine>
partitioned_map<Map> reduce_keyed(const settings& how, const Source& from, Combine& combine,
                                  const Map& empty) {
  using gathered = gathered_keys<Map, Source, Combine>;
  if (from.places() == 0) return {std::vector<Map>{empty}, 0};
  const unsigned bits = bits_of_parts(from.places());
  const bool in_order = how.is_deterministic;
  std::vector<gathered> all = in_order
                                  ? gather_by_chunks<gathered>(how, from, empty, combine)
                                  : gather_by_workers<gathered>(how, from, empty, bits, combine);
  std::vector<Map> parts;
  if (!in_order && std::ranges::none_of(all, &gathered::has_bags)) {
    parts.push_back(add_tables<Map>(how, all, combine));
    drop_gathered(how, all, empty);
    return {std::move(parts), 0};
  }
  parts = add_parts(how, all, from, empty, bits, combine);
  drop_gathered(how, all, empty);
  return {std::move(parts), bits};
}

struct reduce_by_key_fn : algorithm<reduce_by_key_fn> {
  template <std::random_access_iterator It, class Key, class Value, class Combine = std::plus<>,
            key_table Map = std::unordered_map<
                key_to_keep<Key, std::iter_reference_t<It>, std::iter_value_t<It>>,
                std::remove_cvref_t<key_result<Value, std::iter_reference_t<It>>>>>
  static partitioned_map<Map> run(const settings& how, It first, std::uint64_t count, Key key,
                                  Value value, Combine combine = {}, const Map& empty = Map()) {
    return reduce_keyed(how, keyed_range<It, Key, Value>{first, count, key, value}, combine, empty);
  }
  template <
      stream S, class Key, class Value, class Combine = std::plus<>,
      key_table Map = std::unordered_map<key_to_keep<Key, element_of<S>, stream_value<S>>,
                                         std::remove_cvref_t<key_result<Value, element_of<S>>>>>
  static partitioned_map<Map> run(const settings& how, const S& from, Key key, Value value,
                                  Combine combine = {}, const Map& empty = Map()) {
    return reduce_keyed(how, keyed_stream<S, Key, Value>{from, key, value}, combine, empty);
  }
};

/// Returns 1 for each element.
template <class Count>
struct one_each {
  template <class Element>
  constexpr Count operator()(const Element&) const noexcept {
    return Count{1};
  }
};

struct count_by_key_fn : algorithm<count_by_key_fn> {
  template <std::random_access_iterator It, class Key = std::identity,
            key_table Map = std::unordered_map<
                key_to_keep<Key, std::iter_reference_t<It>, std::iter_value_t<It>>, std::uint64_t>>
  static partitioned_map<Map> run(const settings& how, It first, std::uint64_t count, Key key = {},
                                  const Map& empty = Map()) {
    return reduce_by_key_fn::run(in_any_order(how), first, count, std::move(key),
                                 one_each<typename Map::mapped_type>{}, std::plus<>{}, empty);
  }
  template <stream S, class Key = std::identity,
            key_table Map =
                std::unordered_map<key_to_keep<Key, element_of<S>, stream_value<S>>, std::uint64_t>>
  static partitioned_map<Map> run(const settings& how, const S& from, Key key = {},
                                  const Map& empty = Map()) {
    return reduce_by_key_fn::run(in_any_order(how), from, std::move(key),
                                 one_each<typename Map::mapped_type>{}, std::plus<>{}, empty);
  }

 private:
  /// A count is the same in any order.
  static settings in_any_order(const settings& given) {
    settings how = given.with_same_limit();
    how.is_deterministic = false;
    return how;
  }
};

}  // namespace algo

/// `reduce_by_key([how,] range or first, last, key, map[, combine = plus[, like]])`: folds `map` of
/// all elements with equal keys. Returns a `partitioned_map` from keys to values. Keys are found by
/// their hash and have no order. A stream may replace the range.
///
/// `combine` must be associative and commutative. With `deterministic` associative is enough:
/// operands keep the order of the range, and their brackets depend only on its length. So sums of
/// floating-point numbers have the same bits for any number of workers.
///
/// `map` is called once for each element. `key` is called once or twice for each, by several
/// threads at once, and must return the same each time. `like` is an empty table, of which all
/// others are copies. It may be of another kind, such as
/// `boost::unordered_flat_map<std::string, double>()`, or have its own hash. If that hash is
/// transparent, `key` may return a `std::string_view` for a table of strings.
///
/// Cost: a look-up for each element, and one for each key and worker that has seen it. For more
/// than 2^17 keys two hashes and a look-up, but in tables that the cache holds. Span O((n + keys) /
/// P) for P workers, and an insertion for each key that not all workers have seen. Space: a table
/// for each worker; for many keys also 16 bytes and a value for each element.
/// Blocks, threads: as `parallel_for`.
/// Throws: what `key`, `map`, `combine`, the hash and copies of keys throw; `std::bad_alloc`,
/// `stopped`. The range is not changed.
/// Example: examples/most_frequent_words.cpp
inline constexpr algo::explained<algo::reduce_by_key_fn> reduce_by_key;

/// `count_by_key([how,] range or first, last[, key[, like]])`: counts how often each key occurs.
/// Returns a `partitioned_map` from keys to `std::uint64_t`, or to the value type of `like`.
///
/// As `reduce_by_key` of ones. For integers below a known bound `histogram` is faster. For the
/// elements themselves, in groups, use `group_by_key`.
inline constexpr algo::explained<algo::count_by_key_fn> count_by_key;

}  // namespace filch
