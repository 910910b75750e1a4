// What a zip gives as its elements: references to elements of its columns.
#include <filch/algo/algo_test.hpp>

#include <algorithm>
#include <ranges>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

using columns = decltype(views::zip(std::declval<std::vector<int>&>(),
                                    std::declval<std::vector<std::string>&>()));
static_assert(std::ranges::random_access_range<columns> && std::ranges::sized_range<columns>);
static_assert(std::ranges::borrowed_range<columns> && std::ranges::view<columns>);
static_assert(std::sortable<std::ranges::iterator_t<columns>>);
static_assert(std::same_as<std::ranges::range_value_t<columns>, std::tuple<int, std::string>>);
static_assert(
    std::same_as<std::tuple_element_t<1, std::ranges::range_reference_t<columns>>, std::string&>);
static_assert(
    std::indirectly_writable<std::ranges::iterator_t<columns>, std::tuple<int, std::string>>);

/// Whether elements of a zip of these can be written and change places.
template <class... Columns>
constexpr bool can_be_written = requires(decltype(views::zip(std::declval<Columns>()...)) rows) {
  *rows.begin() = *rows.begin();
  requires std::indirectly_writable<std::ranges::iterator_t<decltype(rows)>,
                                    std::ranges::range_value_t<decltype(rows)>>;
  requires std::permutable<std::ranges::iterator_t<decltype(rows)>>;
};
static_assert(can_be_written<std::vector<int>&, std::vector<std::string>&>);
static_assert(!can_be_written<std::vector<int>&, const std::vector<std::string>&>);
using with_a_constant = decltype(views::zip(std::declval<std::vector<int>&>(),
                                            std::declval<const std::vector<std::string>&>()));
static_assert(std::ranges::random_access_range<with_a_constant>);
static_assert(!std::is_copy_assignable_v<std::ranges::range_reference_t<with_a_constant>>);
static_assert(!std::is_assignable_v<std::ranges::range_reference_t<with_a_constant>,
                                    std::ranges::range_value_t<with_a_constant>>);
static_assert(!std::indirectly_swappable<std::ranges::iterator_t<with_a_constant>>);
static_assert(!std::is_copy_assignable_v<zip_reference<std::vector<bool>::reference>>,
              "it would copy what stands for a bit");

using chunks = decltype(views::chunk(std::declval<std::vector<int>&>(), 2u));
using one_chunk = std::ranges::range_value_t<chunks>;
static_assert(std::ranges::borrowed_range<chunks> && std::ranges::borrowed_range<one_chunk> &&
              std::ranges::view<one_chunk>);
static_assert(std::ranges::borrowed_range<index_range<int>> && std::ranges::view<index_range<int>>);
static_assert(std::ranges::borrowed_range<decltype(views::zip(std::declval<chunks>(),
                                                              std::declval<one_chunk>()))>);

TEST(zip, references_swap_what_they_refer_to) {
  std::vector<int> keys{3, 1, 2};
  std::vector<std::string> names{"c", "a", "b"};
  const auto rows = views::zip(keys, names);
  auto a = rows[0], b = rows[1];
  swap(a, b);
  EXPECT_EQ(keys, (std::vector<int>{1, 3, 2}));
  EXPECT_EQ(names, (std::vector<std::string>{"a", "c", "b"}));
  std::ranges::swap(a, b);
  swap(rows[1], rows[2]);
  EXPECT_EQ(keys, (std::vector<int>{3, 2, 1}));
  std::ranges::sort(rows);
  EXPECT_EQ(keys, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(zip, a_reference_can_be_taken_apart_and_assigned_through) {
  std::vector<int> numbers{1, 2};
  std::vector<std::string> names{"one", "two"};
  const auto rows = views::zip(numbers, names);
  auto [number, name] = rows[0];
  number = 7;
  name = "seven";
  EXPECT_EQ(numbers[0], 7);
  EXPECT_EQ(names[0], "seven");
  const auto last = rows.begin() + 1;
  std::tuple<int, std::string> kept = std::ranges::iter_move(last);
  EXPECT_EQ(names[1], "") << "it was moved from";
  *last = *rows.begin();
  EXPECT_EQ(names, (std::vector<std::string>{"seven", "seven"}));
  *rows.begin() = std::move(kept);
  EXPECT_EQ(numbers, (std::vector<int>{2, 7}));
  EXPECT_EQ(names, (std::vector<std::string>{"two", "seven"}));
  std::ranges::iter_swap(rows.begin(), last);
  EXPECT_EQ(numbers, (std::vector<int>{7, 2}));
  EXPECT_EQ(names, (std::vector<std::string>{"seven", "two"}));
}

TEST(zip, iterators_count_in_both_directions) {
  std::vector<int> a{0, 1, 2, 3, 4}, b(7);
  const auto rows = views::zip(a, b);
  EXPECT_EQ(rows.size(), 5u);
  auto it = rows.end();
  EXPECT_EQ(std::get<0>(*--it), 4);
  EXPECT_EQ(std::get<0>(*it--), 4);
  EXPECT_EQ(std::get<0>(*(it -= 2)), 1);
  EXPECT_EQ(std::get<0>(it[2]), 3);
  EXPECT_EQ(std::get<0>(*it++), 1);
  EXPECT_EQ(std::get<0>(*(1 + it)), 3);
  EXPECT_EQ(rows.end() - it, 3);
  EXPECT_LT(rows.begin(), it);
  EXPECT_TRUE(views::zip(a, std::span<int>()).empty());
}

}  // namespace
}  // namespace filch::algo
