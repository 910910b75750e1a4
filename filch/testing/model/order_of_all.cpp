#include <filch/testing/model/order_of_all.hpp>

#include <filch/testing/model/hash.hpp>

namespace filch::inline v0_2::testing {

namespace {

constexpr bool reaches(const order_of_all::beginnings& before,
                       const order_of_all::endings& behind) {
  bool does = false;
  for (unsigned i = 0; i < order_of_all::max_threads; ++i)
    does |= behind[i] != 0 && before[i] >= behind[i];
  return does;
}

}  // namespace

void order_of_all::restart() {
  for (auto& of_thread : before_) of_thread.clear();
}

auto order_of_all::closed(const beginnings& some) const -> beginnings {
  beginnings all = some;
  for (unsigned i = 0; i < max_threads; ++i) {
    if (some[i] != 0) merge(all, before_[i][some[i] - 1]);
  }
  return all;
}

std::uint16_t order_of_all::append(unsigned by, const beginnings& before) {
  beginnings all = before;
  all[by] = static_cast<std::uint16_t>(before_[by].size());
  before_[by].push_back(closed(all));
  return static_cast<std::uint16_t>(before_[by].size());
}

bool order_of_all::contradicts(const beginnings& before, const endings& behind) const {
  return reaches(closed(before), behind);
}

void order_of_all::put(const beginnings& before, const endings& behind) {
  const beginnings all = closed(before);
  for (unsigned i = 0; i < max_threads; ++i) {
    for (std::size_t at = 0; at < before_[i].size(); ++at) {
      const bool is_behind = behind[i] != 0 && at + 1 >= behind[i];
      if (is_behind || reaches(before_[i][at], behind)) merge(before_[i][at], all);
    }
  }
}

std::uint64_t order_of_all::hash(std::uint64_t start) const {
  for (const auto& of_thread : before_) {
    start = mix(start, of_thread.size());
    for (const beginnings& each : of_thread) start = hash_of(each, start);
  }
  return start;
}

}  // namespace filch::testing
