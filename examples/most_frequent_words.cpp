// The ten words that a text has most often: a table of counts, and the first of them by count.
// Work O(words), span O(words / P) for P workers.
#include <filch/algo.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using counted = std::pair<std::string_view, std::uint64_t>;

// [count]
std::vector<counted> most_frequent(const std::vector<std::string_view>& words, std::size_t most) {
  const auto counts = filch::count_by_key(words);
  const auto all = counts.parts() | filch::views::flat_map(std::identity()) |
                   filch::views::transform([](const auto& each) { return counted(each); });
  return filch::top_k(all, most, std::greater<>(), &counted::second);
}
// [count]

/// A text of 10^6 words: word i of the list is every i-th of them, as in a language.
std::vector<std::string_view> made_up_text() {
  static constexpr std::string_view list[] = {"the", "of", "and", "to", "in", "a", "is", "that"};
  std::vector<std::string_view> words;
  for (std::size_t i = 1; words.size() != 1'000'000; ++i) {
    for (std::size_t rank = 1; rank <= std::size(list) && words.size() != 1'000'000; ++rank) {
      if (i % rank == 0) words.push_back(list[rank - 1]);
    }
  }
  return words;
}

}  // namespace

int main() {
  const std::vector<std::string_view> words = made_up_text();
  std::uint64_t total = 0, before = words.size();
  bool are_in_order = true;
  for (const auto& [word, count] : most_frequent(words, 10)) {
    std::printf("%8llu %.*s\n", static_cast<unsigned long long>(count),
                static_cast<int>(word.size()), word.data());
    total += count;
    are_in_order = are_in_order && count <= std::exchange(before, count);
  }
  return total == words.size() && are_in_order ? 0 : 1;
}
