#pragma once
// Brings records with equal keys together, those of a group in the order in which they came. Groups
// may come in any order.
#include <bench/harness/contender.hpp>
#include <filch/base/rng.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bench::group_by_key {

struct record {
  std::uint32_t key, place;
};

/// Elements by groups, and where each group begins, the end included.
struct groups {
  std::vector<record> elements;
  std::vector<std::size_t> begins;

  std::size_t size() const noexcept { return begins.size() - 1; }
  std::span<const record> operator[](std::size_t i) const noexcept {
    return {elements.data() + begins[i], elements.data() + begins[i + 1]};
  }
};

/// What can be done with a stable sort: `sort(first, last, less)`.
template <class Sort>
groups by_sorting(const std::vector<record>& values, Sort sort) {
  groups all{values, {}};
  sort(all.elements.begin(), all.elements.end(),
       [](const record& a, const record& b) { return a.key < b.key; });
  for (std::size_t i = 0; i != values.size(); ++i) {
    if (i == 0 || all.elements[i - 1].key != all.elements[i].key) all.begins.push_back(i);
  }
  all.begins.push_back(values.size());
  return all;
}

inline constexpr identity as(const char* peer) {
  return {.problem = "group_by_key", .peer = peer, .size = 10'000'000, .variant = "many"};
}

/// Whether each key has one group, in which all that had it stand in order.
template <class Groups>
bool is_grouped(const std::vector<record>& values, std::size_t kinds, const Groups& found) {
  std::vector<bool> has_group(kinds);
  std::size_t elements = 0;
  for (std::size_t i = 0; i != found.size(); ++i) {
    const auto group = found[i];
    const record* before = nullptr;
    for (const record& each : group) {
      if (values[each.place].key != each.key) return false;
      if (before == nullptr ? has_group[each.key]
                            : each.key != before->key || each.place <= before->place)
        return false;
      has_group[each.key] = true;
      before = &each;
      ++elements;
    }
  }
  return elements == values.size();
}

/// Times `peer.group(values)`.
template <class Peer>
void measure(contender& me, Peer& peer) {
  me.require(me.variant() == "many" || me.variant() == "few", "--case is one of many, few");
  const std::uint32_t kinds = me.variant() == "many" ? 1'000'000 : 1'000;
  std::vector<record> values(me.size<std::uint32_t>());
  filch::base::split_mix64 random{1};
  for (std::uint32_t i = 0; i != values.size(); ++i)
    values[i] = {static_cast<std::uint32_t>(random() % kinds), i};
  me.measure(
      0, [&](int) { return peer.group(std::as_const(values)); },
      [&](int, const auto& found) {
        return is_grouped(values, kinds, found) ? "" : "equal keys are not together, in order";
      });
}

}  // namespace bench::group_by_key
