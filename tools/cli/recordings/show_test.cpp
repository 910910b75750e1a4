#include <filch/span/faulty_runs_test.hpp>
#include <gtest/gtest.h>
#include <tools/cli/recordings/show.hpp>

#include <numeric>
#include <set>

namespace {

using namespace filch::cli;
using namespace filch::span;

budget spent_on(std::initializer_list<std::pair<use, std::int64_t>> uses_of) {
  budget made;
  made.slot_count = 1;
  for (const auto& [what, ns] : uses_of) {
    made[what] = ns;
    made.when.end_ns += ns;
  }
  return made;
}

TEST(show, the_bar_is_as_wide_as_asked_for_and_no_use_is_off_by_a_cell) {
  const budget spent = spent_on(
      {{use::working, 333}, {use::searching, 333}, {use::starved, 333}, {use::unknown, 1}});
  for (std::size_t width = 1; width < 120; ++width) {
    const auto cells = apportion(spent, width);
    EXPECT_EQ(std::accumulate(cells.begin(), cells.end(), std::size_t{0}), width);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double exact = spent.share(static_cast<use>(i)) * static_cast<double>(width);
      EXPECT_LT(std::abs(static_cast<double>(cells[i]) - exact), 1.0);
    }
    EXPECT_EQ(budget_bar(stdout, spent, width).find('\033'), std::string::npos)
        << "no colour where nobody watches";
  }
  EXPECT_EQ(budget_bar(stdout, spent_on({{use::working, 5}, {use::starved, 5}}), 10), "WWWWW.....");
  EXPECT_EQ(budget_bar(stdout, budget{}, 10), "");
}

TEST(show, every_use_has_a_letter_and_a_colour_of_its_own) {
  std::set<char> letters;
  std::set<std::string_view> colours;
  for (const use_description& each : uses) {
    letters.insert(each.letter);
    colours.insert(colour_of(each.what));
  }
  EXPECT_EQ(letters.size(), use_count);
  EXPECT_GE(colours.size(), use_count - 1)
      << "work and forks may look alike: one is 0 where the other is told";
}

TEST(show, the_legend_names_what_occurs_and_fits) {
  const budget spent = spent_on({{use::working, 75}, {use::starved, 25}});
  EXPECT_EQ(budget_legend(spent, 80),
            (std::vector<std::string>{"W working 75 %   . starved 25 %"}));
  EXPECT_EQ(budget_legend(spent, 20).size(), 2u);
}

TEST(show, json_holds_the_verdict_and_a_budget_that_balances) {
  for (const faulty_run& run : runs::all()) {
    const observation seen = observe(run.must.recorded, 0);
    const verdict judged = judge(run.must.recorded, seen);
    const auto json = to_json(run.must.recorded, seen, judged);
    EXPECT_EQ(json["verdict"]["sentence"], judged.sentence);
    std::int64_t sum = 0;
    for (const auto& [name, ns] : json["budget"]["ns"].items()) sum += ns.get<std::int64_t>();
    EXPECT_EQ(json["budget"]["total_ns"], sum) << run.must.what;
  }
}

}  // namespace
