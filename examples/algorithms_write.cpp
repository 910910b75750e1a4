// Algorithms that write a range: fill it, compute it, rearrange it, sum it up. Each in a few lines.
// Work O(n); span O(log n), that of scans O(n / p + p) on p workers.
#include "check.hpp"

#include <filch/algo.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

// [fill]
void first_values() {
  std::vector<double> distance(1'000);
  filch::fill(distance, 1e9);
  check("all are far away", distance.front() == 1e9 && distance.back() == 1e9);

  std::vector<int> order(1'000);
  filch::iota(order, 1);
  check("numbered from 1", order.front() == 1 && order.back() == 1'000);

  std::atomic<int> next{1};  // several threads call the function
  std::vector<int> tickets(1'000);
  filch::generate(tickets, [&] { return next.fetch_add(1); });
  check("each has a ticket of its own", filch::sorted(tickets) == order);
}
// [fill]

// [tabulate]
void one_by_index() {
  const filch::dynarray<std::string> rows =
      filch::tabulate(3, [](std::size_t i) { return "row " + std::to_string(i); });
  check("three rows, made in place", rows.size() == 3 && rows[2] == "row 2");

  std::vector<std::size_t> squares(5);
  filch::tabulate(squares, [](std::size_t i) { return i * i; });
  check("squares in a vector", squares == std::vector<std::size_t>{0, 1, 4, 9, 16});
}
// [tabulate]

// [transform]
void one_of_each() {
  const std::vector<double> prices{3.0, 5.0};
  const std::vector<double> amounts{4.0, 2.0};
  std::vector<double> taxed(2), costs(2);
  filch::transform(prices, taxed, [](double price) { return price * 1.25; });
  filch::transform(prices, amounts, costs, std::multiplies<>{});
  check("prices with tax", taxed == std::vector<double>{3.75, 6.25});
  check("costs", costs == std::vector<double>{12.0, 10.0});
}
// [transform]

// [copy]
void as_many_as_fit() {
  const std::vector<char> text{'f', 'i', 'l', 'c', 'h'};
  std::vector<char> buffer(3);
  const auto [rest, end] = filch::copy(text, buffer);  // the output ends it
  check("three were copied", std::string(buffer.begin(), end) == "fil");
  check("two are left", std::string(rest, text.end()) == "ch");
}
// [copy]

// [rotate]
void in_another_order() {
  std::string word = "stressed";
  filch::reverse(word);
  check("backwards", word == "desserts");

  std::vector<std::string> turns{"Ada", "Bo", "Cy"};
  const auto last = filch::rotate(turns, turns.begin() + 1);
  check("Bo is next, Ada is last", turns.front() == "Bo" && *last == "Ada");
}
// [rotate]

// [random_shuffle]
void a_shuffled_deck() {
  std::vector<int> deck(52);
  filch::iota(deck, 0);
  std::vector<int> again = deck;
  const std::uint64_t seed = 2026;
  filch::random_shuffle(deck, seed);
  filch::random_shuffle(again, seed);
  check("the same order for the same seed", deck == again && !filch::is_sorted(deck));
}
// [random_shuffle]

// [flatten]
void one_list_of_many() {
  const std::vector<std::vector<int>> found_by_file{{3, 8}, {}, {1, 4, 9}};
  const filch::dynarray<int> found = filch::flatten(found_by_file);
  check("five in a row", filch::equal(found, std::vector<int>{3, 8, 1, 4, 9}));
}
// [flatten]

// [adjacent_difference]
void what_was_used() {
  const std::vector<int> meter{100, 130, 175, 180};
  std::vector<int> used(meter.size());
  filch::adjacent_difference(meter, used);
  check("the first stays, then differences", used == std::vector<int>{100, 30, 45, 5});
}
// [adjacent_difference]

// [exclusive_scan]
void what_came_before() {
  const std::vector<int> payments{20, -5, 40};
  std::vector<int> before(3), after(3);
  filch::exclusive_scan(payments, before, 100);
  filch::inclusive_scan(payments, after, std::plus<>{}, 100);
  check("balances before each payment", before == std::vector<int>{100, 120, 115});
  check("balances after each payment", after == std::vector<int>{120, 115, 155});
}

// The scan says where each word goes, so that all can be copied at once.
std::string joined(const std::vector<std::string>& words) {
  std::vector<std::size_t> begins(words.size());
  filch::transform_exclusive_scan(words, begins, std::size_t{0}, std::plus<>{}, &std::string::size);
  std::string text(words.empty() ? 0 : begins.back() + words.back().size(), ' ');
  filch::parallel_for(0, words.size(), [&](std::size_t i) {
    filch::copy(words[i], text.begin() + static_cast<std::ptrdiff_t>(begins[i]));
  });
  return text;
}
// [exclusive_scan]

}  // namespace

int main() {
  first_values();
  one_by_index();
  one_of_each();
  as_many_as_fit();
  in_another_order();
  a_shuffled_deck();
  one_list_of_many();
  what_was_used();
  what_came_before();
  check("three words in one", joined({"work", "steal", "ing"}) == "workstealing");
  return wrong_claims == 0 ? 0 : 1;
}
