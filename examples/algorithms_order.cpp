// Sorting, ranks, and operations on sorted ranges, each in a few lines. Work O(n log n) for sorts,
// O(n) for merges and set operations; span O(log^3 n).
#include "check.hpp"

#include <filch/algo.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

using names = std::vector<std::string>;

struct runner {
  std::string name;
  int club;
  int seconds;
};

names names_of(const std::vector<runner>& runners) {
  names all(runners.size());
  filch::transform(runners, all, &runner::name);
  return all;
}

// [stable_sort]
void by_club_and_time() {
  std::vector<runner> runners{{"Ada", 2, 61}, {"Bo", 1, 58}, {"Cy", 2, 55}, {"Di", 1, 63}};
  filch::sort(runners, {}, &runner::seconds);
  check("Cy won", names_of(runners) == names{"Cy", "Bo", "Ada", "Di"});

  filch::stable_sort(runners, {}, &runner::club);  // in a club the faster ones stay in front
  check("by club, then by time", names_of(runners) == names{"Bo", "Di", "Cy", "Ada"});
}
// [stable_sort]

// [sorted]
void a_sorted_copy() {
  const std::vector<double> prices{2.5, 1.0, 4.0};
  const std::vector<double> falling = filch::sorted(prices, std::greater<>{});
  check("the highest price is first", falling == std::vector<double>{4.0, 2.5, 1.0});
  check("prices are as before", prices.front() == 2.5);
}
// [sorted]

// [integer_sort]
void by_an_integer_key() {
  struct event {
    std::uint64_t at_ns;
    char what;
  };
  std::vector<event> events{{900, 'c'}, {5, 'a'}, {900, 'd'}, {70, 'b'}};
  filch::integer_sort(events, &event::at_ns);  // no comparisons; equal ones keep their order
  check("in the order of time", filch::is_sorted(events, {}, &event::what));
}
// [integer_sort]

// [nth_element]
void a_median() {
  std::vector<int> milliseconds{31, 12, 95, 18, 22, 14, 19};
  const auto middle = milliseconds.begin() + 3;
  filch::nth_element(milliseconds, middle);
  check("half of the answers took 19 ms or less", *middle == 19);
}
// [nth_element]

// [partial_sort]
void the_cheapest_three() {
  std::vector<double> offers{9.5, 3.25, 7.0, 4.5, 8.0, 2.75};
  filch::partial_sort(offers, offers.begin() + 3);  // the others come in any order
  offers.resize(3);
  check("the cheapest three, in order", offers == std::vector<double>{2.75, 3.25, 4.5});
}
// [partial_sort]

// [merge]
void two_logs_in_one() {
  struct line {
    int second;
    std::string text;
  };
  const std::vector<line> web{{1, "GET /"}, {4, "GET /a"}}, disk{{2, "read"}, {4, "write"}};
  std::vector<line> all(web.size() + disk.size());
  filch::merge(web, disk, all.begin(), {}, &line::second, &line::second);
  check("in the order of time", filch::is_sorted(all, {}, &line::second));
  check("of one second, the first log is first", all[2].text == "GET /a");
}
// [merge]

// [set_union]
// Inputs are sorted, and so are results. An output needs room for all that may come.
const names readers{"ann", "bob", "eve"};
const names writers{"bob", "dan", "eve"};

void those_in_either() {
  names all(readers.size() + writers.size());
  all.erase(filch::set_union(readers, writers, all.begin()).out, all.end());
  check("four people, each once", all == names{"ann", "bob", "dan", "eve"});
}

void those_in_both() {
  names both(readers.size());
  both.erase(filch::set_intersection(readers, writers, both.begin()).out, both.end());
  check("two read and write", both == names{"bob", "eve"});
}

void those_in_one() {
  names only_read(readers.size());
  only_read.erase(filch::set_difference(readers, writers, only_read.begin()).out, only_read.end());
  check("one only reads", only_read == names{"ann"});

  names one(readers.size() + writers.size());
  one.erase(filch::set_symmetric_difference(readers, writers, one.begin()).out, one.end());
  check("two do one thing only", one == names{"ann", "dan"});
}
// [set_union]

}  // namespace

int main() {
  by_club_and_time();
  a_sorted_copy();
  by_an_integer_key();
  a_median();
  the_cheapest_three();
  two_logs_in_one();
  those_in_either();
  those_in_both();
  those_in_one();
  return wrong_claims == 0 ? 0 : 1;
}
