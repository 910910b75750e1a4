#include <bench/group_by_key/problem.hpp>

#include <string_view>
#include <unordered_map>
#include <utility>

namespace {

struct serial {
  std::string_view keys;

  /// Whichever is faster: a hash table of a million keys is not in the cache.
  auto group(const std::vector<bench::group_by_key::record>& values) {
    if (keys == "few") return by_counting(values);
    return bench::group_by_key::by_sorting(
        values, [](auto first, auto last, auto less) { std::stable_sort(first, last, less); });
  }

  /// As the groups may come in any order, each record can be put where it belongs at once.
  static bench::group_by_key::groups by_counting(
      const std::vector<bench::group_by_key::record>& values) {
    std::unordered_map<std::uint32_t, std::size_t> group_of;
    std::vector<std::size_t> begins;  // at first how many there are
    for (const auto& each : values) {
      const auto [at, is_new] = group_of.try_emplace(each.key, begins.size());
      if (is_new) begins.push_back(0);
      ++begins[at->second];
    }
    std::size_t start = 0;
    for (std::size_t& each : begins) start += std::exchange(each, start);
    bench::group_by_key::groups all{std::vector<bench::group_by_key::record>(values.size()),
                                    begins};
    all.begins.push_back(start);
    for (const auto& each : values) all.elements[begins[group_of.find(each.key)->second]++] = each;
    return all;
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::group_by_key::as("serial"));
  serial peer{me.variant()};
  bench::group_by_key::measure(me, peer);
  return me.exit_status();
}
