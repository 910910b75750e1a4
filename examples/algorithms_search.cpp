// Searches, comparisons, counts and extremes, each in a few lines. All take what their namesakes in
// `std::ranges` take. Work O(n), less if the answer lies near the front; span O(log n).
#include "check.hpp"

#include <filch/algo.hpp>

#include <functional>
#include <string>
#include <vector>

namespace {

// [cities]
struct city {
  std::string name;
  int people;
  double degrees;
};

const std::vector<city> cities{
    {"Oslo", 709'000, -4.5}, {"Lima", 10'092'000, 22.0}, {"Cairo", 10'203'000, 19.5},
    {"Kyiv", 2'952'000, -1}, {"Quito", 2'011'000, 15.5},
};
// [cities]

// [all_of]
void whether_all_any_or_none() {
  const auto is_freezing = [](double degrees) { return degrees < 0; };
  check("some freeze, others do not", filch::any_of(cities, is_freezing, &city::degrees) &&
                                          !filch::all_of(cities, is_freezing, &city::degrees));

  const auto has_no_name = [](const city& each) { return each.name.empty(); };
  check("each has a name", filch::none_of(cities, has_no_name));
}
// [all_of]

// [find]
void the_first_that_fits() {
  const auto cairo = filch::find(cities, "Cairo", &city::name);
  check("Cairo is number 2", cairo - cities.begin() == 2);
  check("no city is called Rome", filch::find(cities, "Rome", &city::name) == cities.end());

  const auto big = [](int people) { return people > 5'000'000; };
  check("Lima is the first big one", filch::find_if(cities, big, &city::people)->name == "Lima");
  check("Oslo is the first other", filch::find_if_not(cities, big, &city::people)->name == "Oslo");
}
// [find]

// [count]
void how_many() {
  const std::vector<int> status{200, 404, 200, 500, 301, 200, 503};
  check("three requests were answered", filch::count(status, 200) == 3);
  check("two failed here", filch::count_if(status, [](int code) { return code >= 500; }) == 2);
}
// [count]

// [minmax_element]
void the_least_and_the_greatest() {
  const auto coldest = filch::min_element(cities, {}, &city::degrees);
  const auto biggest = filch::max_element(cities, {}, &city::people);
  check("it is cold in Oslo", coldest->name == "Oslo");
  check("Cairo is big", biggest->name == "Cairo");

  const auto [least, greatest] = filch::minmax_element(cities, {}, &city::degrees);  // one pass
  check("they differ by 26.5 degrees", greatest->degrees - least->degrees == 26.5);
}
// [minmax_element]

// [mismatch]
void the_first_difference() {
  const std::vector<std::string> before{"[pool]", "workers = 4", "pin = no"};
  const std::vector<std::string> after{"[pool]", "workers = 8", "pin = no"};
  check("the file was changed", !filch::equal(before, after));

  const auto [old_line, new_line] = filch::mismatch(before, after);
  check("line 1 is the first that differs", old_line - before.begin() == 1);
  check("it has 8 workers now", *new_line == "workers = 8");
}
// [mismatch]

// [lexicographical_compare]
void the_order_of_versions() {
  const std::vector<int> installed{1, 9, 3};
  const std::vector<int> offered{1, 10};
  check("1.9.3 is older than 1.10", filch::lexicographical_compare(installed, offered));
  check("1.10 is not older", !filch::lexicographical_compare(offered, installed));
}
// [lexicographical_compare]

// [is_sorted]
void whether_it_is_sorted() {
  const std::vector<double> timestamps{10.0, 10.5, 11.25, 11.0, 12.0};
  check("one is out of order", !filch::is_sorted(timestamps));
  const auto early = filch::is_sorted_until(timestamps);
  check("11.0 comes too late", early != timestamps.end() && *early == 11.0);
  check("the letters fall", filch::is_sorted(std::vector<std::string>{"c", "b"}, std::greater<>{}));
}
// [is_sorted]

}  // namespace

int main() {
  whether_all_any_or_none();
  the_first_that_fits();
  how_many();
  the_least_and_the_greatest();
  the_first_difference();
  the_order_of_versions();
  whether_it_is_sorted();
  return wrong_claims == 0 ? 0 : 1;
}
