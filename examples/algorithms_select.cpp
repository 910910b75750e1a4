// Choosing elements, dividing them, and grouping them by key, each in a few lines. Work O(n); span
// O(n / p + p) on p workers.
#include "check.hpp"

#include <filch/algo.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using words = std::vector<std::string>;

bool is_comment(const std::string& line) { return line.starts_with('#'); }

// [copy_if]
void copies_of_some() {
  const words lines{"# pool", "workers 4", "# paths", "log /tmp"};
  words comments(lines.size());  // room for all
  comments.erase(filch::copy_if(lines, comments, is_comment).out, comments.end());
  check("two comments, in order", comments == words{"# pool", "# paths"});
}
// [copy_if]

// [pack]
void those_with_a_flag() {
  const words files{"a.cpp", "b.cpp", "c.cpp"};
  const std::vector<char> has_changed{1, 0, 1};
  words to_build(files.size());
  to_build.erase(filch::pack(files, has_changed, to_build).out, to_build.end());
  check("two are built again", to_build == words{"a.cpp", "c.cpp"});
}
// [pack]

// [partition_copy]
void into_two() {
  const words lines{"# pool", "workers 4", "log /tmp"};
  words comments(lines.size()), settings(lines.size());
  const auto ends = filch::partition_copy(lines, comments, settings, is_comment);
  comments.erase(ends.out1, comments.end());
  settings.erase(ends.out2, settings.end());
  check("one comment", comments == words{"# pool"});
  check("two settings", settings == words{"workers 4", "log /tmp"});
}
// [partition_copy]

// [stable_partition]
void urgent_ones_first() {
  struct mail {
    std::string subject;
    bool is_urgent;
  };
  std::vector<mail> inbox{{"news", false}, {"fire", true}, {"lunch", false}, {"flood", true}};
  const auto rest = filch::stable_partition(inbox, &mail::is_urgent);
  check("both parts keep their order", inbox[0].subject == "fire" && inbox[1].subject == "flood" &&
                                           rest.begin()->subject == "news");
}
// [stable_partition]

// [remove_if]
void without_some() {
  words lines{"# pool", "workers 4", "workers 4", "# paths", "log /tmp"};
  const auto comments = filch::remove_if(lines, is_comment);
  lines.erase(comments.begin(), comments.end());
  const auto twins = filch::unique(lines);  // neighbors only: sort first, to find all
  lines.erase(twins.begin(), twins.end());
  check("each setting once", lines == words{"workers 4", "log /tmp"});
}
// [remove_if]

// [group_by_key]
void in_groups() {
  const words all{"ape", "bear", "cat", "deer", "eagle"};
  const filch::grouped<std::string> by_length =
      filch::group_by_key(all, [](const std::string& word) { return word.size(); });
  check("groups of 3, 4 and 5 letters", by_length.size() == 3);
  for (std::size_t i = 0; i != by_length.size(); ++i) {
    check("of one length", by_length[i].begin()->size() == i + 3);
  }
  check("ape, cat", filch::equal(by_length[0], words{"ape", "cat"}));
}
// [group_by_key]

// [histogram]
void how_often_each() {
  const std::string text = "to be or not to be";
  const auto counts =
      filch::histogram(text, 256, [](char c) { return static_cast<unsigned char>(c); });
  check("four o, and no q", counts['o'] == 4 && counts['q'] == 0);
}
// [histogram]

// [partitioned_map]
void a_table_by_key() {
  using table = std::unordered_map<std::string, std::uint64_t>;
  const words votes{"yes", "no", "yes", "yes"};
  filch::partitioned_map<table> counts = filch::count_by_key(votes);
  check("three votes for yes", counts.value_or("yes", 0) == 3);
  check("none for maybe", counts.value_or("maybe", 0) == 0);

  std::uint64_t sum = 0;
  for (const auto& [vote, times] : counts) sum += times;  // in no order
  check("four votes in all", sum == votes.size());

  const table one = std::move(counts).to_map();  // as one table
  check("two kinds", one.size() == 2);
}
// [partitioned_map]

}  // namespace

int main() {
  copies_of_some();
  those_with_a_flag();
  into_two();
  urgent_ones_first();
  without_some();
  in_groups();
  how_often_each();
  a_table_by_key();
  return wrong_claims == 0 ? 0 : 1;
}
