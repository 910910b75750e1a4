#pragma once
#include <filch/base/language.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace filch::inline v0_2 {
namespace algo {

/// Which of 2^`bits` parts has the keys of this hash. Tables use the lowest or highest bits of a
/// hash themselves, and `std::hash` of an integer is the integer. So all bits are mixed first.
constexpr std::uint64_t part_of(std::uint64_t hash, unsigned bits) noexcept {
  if (bits == 0) return 0;
  return ((hash ^ (hash >> 32)) * 0x9e3779b97f4a7c15u) >> (64 - bits);
}

/// The hash of `key`, whose type may differ from that of the keys in the table.
template <class Hash, class Key>
std::uint64_t hash_of(const Hash& hash, const Key& key) {
  return static_cast<std::uint64_t>(hash(key));
}

}  // namespace algo

/// Values by key, in parts. `count_by_key` and `reduce_by_key` return it. Each part is a table of
/// the requested kind, `std::unordered_map` by default, with the keys of one range of hashes. No
/// key is in two parts.
///
/// There are parts because only one thread can fill a table. To go on in parallel, use `parts()`,
/// which is a vector. To get one table, use `to_map()`.
template <class Map>
class partitioned_map {
 public:
  using key_type = typename Map::key_type;
  using mapped_type = typename Map::mapped_type;
  using value_type = typename Map::value_type;
  using size_type = std::size_t;

  /// Visits one part after the other.
  class const_iterator {
    using inner = typename Map::const_iterator;

   public:
    using value_type = typename Map::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = std::iter_reference_t<inner>;
    using iterator_category = std::forward_iterator_tag;
    using pointer = inner;

    const_iterator() = default;
    const_iterator(const Map* part, const Map* end) : part_{part}, end_{end} {
      if (part_ != end_) at_ = part_->begin();
      skip_empty();
    }
    const_iterator(const Map* part, const Map* end, inner at) : part_{part}, end_{end}, at_{at} {}

    reference operator*() const { return *at_; }
    pointer operator->() const { return at_; }
    const_iterator& operator++() {
      ++at_;
      skip_empty();
      return *this;
    }
    const_iterator operator++(int) {
      const_iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const const_iterator& a, const const_iterator& b) {
      return a.part_ == b.part_ && (a.part_ == a.end_ || a.at_ == b.at_);
    }

   private:
    void skip_empty() {
      while (part_ != end_ && at_ == part_->end()) {
        if (++part_ != end_) at_ = part_->begin();
      }
    }

    const Map* part_ = nullptr;
    const Map* end_ = nullptr;
    inner at_{};
  };
  using iterator = const_iterator;

  /// A map without keys.
  partitioned_map() = default;
  /// Takes 2^`bits` parts, which are divided by `algo::part_of`.
  partitioned_map(std::vector<Map> parts, unsigned bits) noexcept
      : parts_{std::move(parts)}, bits_{bits} {}

  /// The number of keys.
  /// Cost: an addition for each part; there are at most 1,024.
  size_type size() const noexcept {
    size_type keys = 0;
    for (const Map& part : parts_) keys += part.size();
    return keys;
  }
  bool empty() const noexcept { return size() == 0; }

  const_iterator begin() const { return {parts_.data(), last_part()}; }
  const_iterator end() const { return {last_part(), last_part()}; }

  /// Returns where `key` is, or `end()`.
  /// Cost: a look-up in one part, and one more hash if there are several parts.
  template <class Key = key_type>
  const_iterator find(const Key& key) const {
    if (parts_.empty()) return end();
    const Map* part = parts_.data();
    if (bits_ != 0) part += algo::part_of(algo::hash_of(part->hash_function(), key), bits_);
    const auto at = part->find(key);
    return at == part->end() ? end() : const_iterator(part, last_part(), at);
  }
  template <class Key = key_type>
  bool contains(const Key& key) const {
    return find(key) != end();
  }
  /// Returns the value of `key`, or `otherwise` if it is absent: `counts.value_or("whale", 0)`.
  template <class Key = key_type>
  mapped_type value_or(const Key& key, mapped_type otherwise) const {
    const const_iterator at = find(key);
    return at == end() ? std::move(otherwise) : at->second;
  }

  /// The parts, for a loop over them. A temporary map gives them away.
  const std::vector<Map>& parts() const& noexcept { return parts_; }
  std::vector<Map> parts() && noexcept { return std::move(parts_); }

  /// Moves all keys into one table, on one thread.
  /// Cost: none if there is one part; else an insertion for each key.
  /// Throws: what insertions throw.
  Map to_map() && {
    if (parts_.empty()) return Map();
    const size_type keys = size();
    std::vector<Map> parts = std::move(parts_);
    Map all = std::move(parts.front());
    all.reserve(keys);
    for (std::size_t i = 1; i != parts.size(); ++i) {
      Map part = std::move(parts[i]);  // its memory is freed before the next one is read
      if constexpr (requires { all.merge(std::move(part)); }) {
        all.merge(std::move(part));
      } else {
        for (auto& [key, value] : part) all.emplace(key, std::move(value));
      }
    }
    return all;
  }

 private:
  const Map* last_part() const noexcept { return parts_.data() + parts_.size(); }

  std::vector<Map> parts_;
  unsigned bits_ = 0;
};

}  // namespace filch
