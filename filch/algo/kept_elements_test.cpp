// What an algorithm leaves of the range that it orders, closes up or writes in place, whichever
// call, copy, move or allocation fails. Which algorithms have a row here or in
// copied_elements_test.cpp: every_algorithm_test.sh.
#include <filch/algo/kept_elements_test.hpp>
#include <filch/testing/replaced_new_test.hpp>

#include <utility>

void filch::testing::will_allocate() {
  filch::algo::faults::happens(filch::algo::step::allocation);
}
void filch::testing::will_release() noexcept {}

namespace filch::inline v0_2::algo {
namespace {

class kept_elements_on : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(workers, kept_elements_on, ::testing::Values(1u, 3u));

constexpr auto middle_of = [](auto& range) { return range.begin() + std::ssize(range) / 2; };

template <class T>
std::vector<algorithm_row<T>> rows_that_order() {
  return {
      {"sort", left::all, [](auto& how, auto& all) { sort(how, all.in, is_less, key_of); }},
      {"sort",
       left::all,
       [](auto& how, auto& all) { sort(how, all.in, is_less, key_of); },
       {},
       keys::nearly_ascending},
      {"sort",
       left::all,
       [](auto& how, auto& all) { sort(how, all.in, is_less, key_of); },
       {},
       keys::descending},
      {"stable_sort", left::all,
       [](auto& how, auto& all) { stable_sort(how, all.in, is_less, key_of); }},
      {"integer_sort", left::all, [](auto& how, auto& all) { integer_sort(how, all.in, key_of); }},
      {"nth_element", left::all,
       [](auto& how, auto& all) { nth_element(how, all.in, middle_of(all.in), is_less, key_of); }},
      {"partial_sort", left::all,
       [](auto& how, auto& all) { partial_sort(how, all.in, middle_of(all.in), is_less, key_of); }},
      {"stable_partition", left::all,
       [](auto& how, auto& all) { stable_partition(how, all.in, is_odd, key_of); }},
      {"reverse", left::all, [](auto& how, auto& all) { reverse(how, all.in); }},
      {"rotate", left::all,
       [](auto& how, auto& all) { rotate(how, all.in, all.in.begin() + std::ssize(all.in) / 3); }},
      {"random_shuffle", left::all, [](auto& how, auto& all) { random_shuffle(how, all.in, 7); }},
  };
}

template <class T>
std::vector<algorithm_row<T>> rows_that_close_up() {
  const auto is_even = [](const std::vector<T>& before, std::size_t i) {
    return before[i].key % 2 == 0;
  };
  const auto is_other = [](const std::vector<T>& before, std::size_t i) {
    return i == 0 || before[i].key != before[i - 1].key;
  };
  return {
      {"remove_if", left::what_stays,
       [](auto& how, auto& all) { remove_if(how, all.in, is_odd, key_of); }, is_even},
      {"unique", left::what_stays,
       [](auto& how, auto& all) { unique(how, all.in, is_same, key_of); }, is_other,
       keys::ascending},
  };
}

/// A new element, made of an old one.
template <class T>
T renewed(const T& old) {
  element_count::expect(old.number != moved_from);
  faults::happens(step::call);
  return T{old.key, first_new_number + old.number % first_new_number};
}
constexpr auto add_up = []<class T>(const T& a, const T& b) {
  element_count::expect(a.number != moved_from && b.number != moved_from);
  faults::happens(step::call);
  return T{(a.key + b.key) % 1'000, first_new_number};
};

template <class T>
std::vector<algorithm_row<T>> rows_that_write() {
  const T some_new{3, first_new_number};
  const auto renew = [](T& each) { each = renewed(each); };
  return {
      {"for_each", left::old_or_new, [=](auto& how, auto& all) { for_each(how, all.in, renew); }},
      {"for_each_chunk", left::old_or_new,
       [=](auto& how, auto& all) {
         for_each_chunk(how, all.in, [&](auto chunk) { std::ranges::for_each(chunk, renew); });
       }},
      {"parallel_for", left::old_or_new,
       [=](auto& how, auto& all) { parallel_for(how, all.in, renew); }},
      {"fill", left::old_or_new, [=](auto& how, auto& all) { fill(how, all.in, some_new); }},
      {"generate", left::old_or_new,
       [=](auto& how, auto& all) { generate(how, all.in, [&] { return renewed(some_new); }); }},
      {"tabulate", left::old_or_new,
       [=](auto& how, auto& all) {
         tabulate(how, all.in, [&](std::size_t) { return renewed(some_new); });
       }},
      {"iota", left::unchanged,
       [](auto& how, auto& all) {
         std::vector<std::size_t> numbers(all.in.size());
         iota(how, numbers, 0u);
       }},
      {"transform", left::old_or_new,
       [](auto& how, auto& all) { transform(how, all.in, all.in.begin(), renewed<T>); }},
      {"inclusive_scan", left::old_or_new,
       [=](auto& how, auto& all) {
         inclusive_scan(how, all.in, all.in.begin(), add_up, some_new);
       }},
      {"exclusive_scan", left::old_or_new,
       [=](auto& how, auto& all) {
         exclusive_scan(how, all.in, all.in.begin(), some_new, add_up);
       }},
      {"transform_inclusive_scan", left::old_or_new,
       [=](auto& how, auto& all) {
         transform_inclusive_scan(how, all.in, all.in.begin(), add_up, renewed<T>);
       }},
      {"transform_exclusive_scan", left::old_or_new,
       [=](auto& how, auto& all) {
         transform_exclusive_scan(how, all.in, all.in.begin(), some_new, add_up, renewed<T>);
       }},
  };
}

template <class T>
std::vector<algorithm_row<T>> all_rows() {
  std::vector<algorithm_row<T>> all = rows_that_order<T>();
  for (auto& more : {rows_that_close_up<T>(), rows_that_write<T>()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

constexpr step whatever_fails[] = {step::call, step::projection, step::copy, step::allocation,
                                   step::stop};
const std::vector<step> all_but_moves(std::begin(whatever_fails), std::end(whatever_fails));

TEST_P(kept_elements_on, are_all_there_whatever_fails) {
  try_short_ranges(all_rows<whole_element<false>>(), GetParam(), all_but_moves);
}

TEST_P(kept_elements_on, are_all_there_where_they_are_plain) {
  try_short_ranges(all_rows<plain_element>(), GetParam(), all_but_moves);
}

// The element that it had in hand cannot be kept.
TEST_P(kept_elements_on, are_all_there_but_one_whose_move_throws) {
  try_short_ranges(all_rows<whole_element<true>>(), GetParam(), {step::move});
}

/// So long that several workers sort and partition them in chunks.
template <class T>
void try_long_ranges(const std::vector<step>& kinds) {
  constexpr std::size_t many = 66'000;
  trials<T> on(3);
  for (const auto& row : rows_that_order<T>()) on.of(row, many, grain_items{0}, kinds, 40);
  for (const auto& row : rows_that_close_up<T>()) on.of(row, many, grain_items{0}, kinds, 40);
}
TEST(kept_elements, of_long_ranges_are_all_there) {
  try_long_ranges<whole_element<false>>({step::projection, step::allocation, step::stop});
  try_long_ranges<plain_element>({step::projection, step::allocation, step::stop});
  try_long_ranges<whole_element<true>>({step::move});
}

// Both ranges of a zip change as one: each element still stands beside its own.
TEST_P(kept_elements_on, of_a_zip_are_all_there_side_by_side) {
  using element = whole_element<false>;
  const auto key_of_first = [](const auto& pair) { return key_of(std::get<0>(pair)); };
  const auto zipped = [](auto run) {
    return [run](const settings& how, elements<element>& all) {
      std::vector<int> mates(all.in.size());
      for (std::size_t i = 0; i != mates.size(); ++i) mates[i] = all.in[i].number;
      const auto check = [&] {
        for (std::size_t i = 0; i != mates.size(); ++i) EXPECT_EQ(mates[i], all.in[i].number);
      };
      try {
        run(how, views::zip(all.in, mates));
      } catch (...) {
        check();
        throw;
      }
      check();
    };
  };
  const std::vector<algorithm_row<element>> rows = {
      {"sort", left::all,
       zipped([&](auto& how, auto pairs) { sort(how, pairs, is_less, key_of_first); })},
      {"stable_sort", left::all,
       zipped([&](auto& how, auto pairs) { stable_sort(how, pairs, is_less, key_of_first); })},
      {"integer_sort", left::all,
       zipped([&](auto& how, auto pairs) { integer_sort(how, pairs, key_of_first); })},
      {"stable_partition", left::all,
       zipped([&](auto& how, auto pairs) { stable_partition(how, pairs, is_odd, key_of_first); })},
      {"reverse", left::all, zipped([&](auto& how, auto pairs) { reverse(how, pairs); })},
      {"random_shuffle", left::all,
       zipped([&](auto& how, auto pairs) { random_shuffle(how, pairs, 7); })},
  };
  try_short_ranges(rows, GetParam(), all_but_moves);
}

}  // namespace
}  // namespace filch::algo
