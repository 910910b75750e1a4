#include <filch/algo/algo_test.hpp>
#include <filch/algo/fragile_test.hpp>
#include <filch/algo/reduce_by_key.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>

namespace filch::inline v0_2::algo {
namespace {

class reduce_by_key_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, reduce_by_key_on, widths);

settings any_grain(draw& random) {
  settings how;
  if (random(2) == 0) how.grain = 1 + random(200);
  how.is_deterministic = random(4) == 0;
  return how;
}

/// What a `std::map` makes of the same. Finds keys that stand twice, and those that are not found.
template <class Map>
std::map<typename Map::key_type, typename Map::mapped_type> all_of_it(
    const partitioned_map<Map>& found) {
  std::map<typename Map::key_type, typename Map::mapped_type> all;
  for (const auto& [key, value] : found) {
    EXPECT_TRUE(all.emplace(key, value).second);
    EXPECT_EQ(found.find(key)->second, value);
  }
  EXPECT_EQ(all.size(), found.size());
  return all;
}

template <class Range>
auto counted(const Range& keys) {
  std::map<std::ranges::range_value_t<Range>, std::uint64_t> all;
  for (const auto& each : keys) ++all[each];
  return all;
}

/// Nearly all different, more than a table takes.
std::vector<std::string> many_words(std::size_t n) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i != n; ++i) {
    words.push_back(i % 100 == 0 ? "the" : "a word too long to lie in place " + std::to_string(i));
  }
  return words;
}
constexpr std::size_t too_many = 60'000;

TEST_P(reduce_by_key_on, counts_every_key) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;  // the map takes longer than all else
    const std::uint64_t kinds = 1 + random(n + 1);
    const auto keys = random.numbers(n, static_cast<int>(kinds));
    const auto found = count_by_key(any_grain(random), keys);
    EXPECT_EQ(all_of_it(found), counted(keys));
    EXPECT_EQ(found.empty(), keys.empty());
    EXPECT_EQ(found.value_or(-1, 7u), 7u);
  });
}

#if !defined(FILCH_TESTING)  // too many for a schedule
TEST_P(reduce_by_key_on, counts_more_keys_than_a_table_takes) {
  thread_pool pool({.workers = GetParam()});
  const auto how = with(pool);
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i != too_many; ++i) numbers.push_back(i << 40);
  const auto found = count_by_key(how, numbers);
  EXPECT_EQ(all_of_it(found), counted(numbers));
  EXPECT_GT(found.parts().size(), 1u);
  EXPECT_TRUE(std::ranges::none_of(found.parts(), [](auto& part) { return part.size() > 5'000; }));
  const auto words = many_words(too_many);
  EXPECT_EQ(all_of_it(count_by_key(how, words)), counted(words));
  EXPECT_EQ(all_of_it(count_by_key(how, words | views::transform([](auto& word) { return word; }))),
            counted(words));
}
#endif

/// A key may return a reference to the last value that its thread has made.
TEST_P(reduce_by_key_on, keeps_no_reference_that_a_key_returns) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n != 0 && n != 65'536) return;
    std::vector<int> numbers(n);
    for (std::size_t i = 0; i != n; ++i) numbers[i] = static_cast<int>(i);
    const auto name = [](int number) -> const std::string& {
      static thread_local std::string made;
      return made = "number " + std::to_string(number);
    };
    std::vector<std::string> names;
    for (const int each : numbers) names.push_back(name(each));
    EXPECT_EQ(all_of_it(count_by_key(any_grain(random), numbers, name)), counted(names));
  });
}

TEST_P(reduce_by_key_on, folds_what_map_makes_of_elements_of_a_stream_too) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    const auto numbers = random.numbers(n, 1'000);
    const auto last_digit = [](int each) { return each % 10; };
    const auto largest = [](int a, int b) { return (std::max)(a, b); };
    std::map<int, int> expected, expected_odd;
    for (const int each : numbers) {
      int& most = expected.try_emplace(each % 10, each).first->second;
      most = largest(most, each);
      if (each % 2 != 0) expected_odd[each % 10] += each;
    }
    const auto how = any_grain(random);
    const std::identity same;
    EXPECT_EQ(all_of_it(reduce_by_key(how, numbers, last_digit, same, largest)), expected);
    const auto odd = numbers | views::filter([](int each) { return each % 2 != 0; });
    EXPECT_EQ(all_of_it(reduce_by_key(how, odd, last_digit, same)), expected_odd);
    const auto first = numbers.begin(), last = numbers.end();
    EXPECT_EQ(all_of_it(reduce_by_key(first, last, last_digit, same, largest)), expected);
  });
}

TEST_P(reduce_by_key_on, keeps_the_order_of_operands_where_it_is_deterministic) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    const auto numbers = random.numbers(n, 1'000);
    std::map<int, std::string> expected;
    for (const int each : numbers) expected[each % 7] += std::to_string(each);
    settings how = with(deterministic);
    if (random(2) == 0) how.grain = 1 + random(50);
    const auto key = [](int each) { return each % 7; };
    const auto text = [](int each) { return std::to_string(each); };
    EXPECT_EQ(all_of_it(reduce_by_key(how, numbers, key, text)), expected);
  });
}

#if !defined(FILCH_TESTING)
// Two workers take one element each by turns, if they may.
TEST(reduce_by_key, keeps_the_order_of_operands_where_workers_take_turns) {
  thread_pool pool({.workers = 2});
  std::atomic<int> done{-1};
  std::atomic<std::thread::id> last{};
  const auto text = [&](int i) {
    const std::uint64_t end = base::now_ns() + 20'000'000;
    while ((done != i - 1 || last.load() == std::this_thread::get_id()) && base::now_ns() < end)
      std::this_thread::yield();
    last = std::this_thread::get_id();
    done = i;
    return std::to_string(i) + ' ';
  };
  std::vector<int> numbers(20);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto found = reduce_by_key(
      with(pool, deterministic, grain_items{1}), numbers, [](int) { return 0; }, text);
  std::string expected;
  for (const int each : numbers) expected += std::to_string(each) + ' ';
  EXPECT_EQ(found.begin()->second, expected);
}
#endif

TEST_P(reduce_by_key_on, sums_have_the_same_bits_on_any_number_of_workers) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n < 300 || n > 5'000) return;
    std::vector<double> values(n);
    for (double& each : values) each = static_cast<double>(random()) * 1e-9;
    const auto key = [](double each) { return static_cast<std::int64_t>(each) % 3; };
    const auto sums = [&](thread_pool& pool) {
      return all_of_it(reduce_by_key(with(pool, deterministic), values, key, std::identity()));
    };
    thread_pool one({.workers = 1}), three({.workers = 3});
    EXPECT_EQ(sums(one), sums(three));
  });
}

struct word_hash : std::hash<std::string_view> {
  using is_transparent = void;
};

TEST_P(reduce_by_key_on, takes_a_table_that_finds_keys_of_another_type) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 300 && n != 65'536) return;
    const auto words = many_words(n);
    const std::unordered_map<std::string, int, word_hash, std::equal_to<>> like;
    const auto seen = [](const std::string& word) { return std::string_view(word); };
    const auto found = count_by_key(any_grain(random), words, seen, like);
    static_assert(std::same_as<decltype(found)::key_type, std::string>);
    const auto expected = counted(words);
    EXPECT_EQ(all_of_it(found), (std::map<std::string, int>(expected.begin(), expected.end())));
    EXPECT_EQ(found.contains("the"), n != 0);
    EXPECT_FALSE(found.contains(std::string_view("whale")));
  });
}

/// A table with what is asked for and nothing else, whose hash is told to each of them.
class bare_table {
 public:
  using key_type = int;
  using mapped_type = std::uint64_t;
  struct hasher {
    std::uint64_t factor;
    std::size_t operator()(int key) const noexcept {
      return static_cast<std::size_t>(key) * factor;
    }
  };
  using inner = std::unordered_map<int, std::uint64_t, hasher>;
  using value_type = inner::value_type;
  using iterator = inner::iterator;
  using const_iterator = inner::const_iterator;

  explicit bare_table(std::uint64_t factor = 1) : inner_(0, hasher{factor}) {}
  auto begin() { return inner_.begin(); }
  auto end() { return inner_.end(); }
  auto begin() const { return inner_.begin(); }
  auto end() const { return inner_.end(); }
  auto find(int key) { return inner_.find(key); }
  auto find(int key) const { return inner_.find(key); }
  auto emplace(int key, std::uint64_t value) { return inner_.emplace(key, value); }
  std::size_t size() const noexcept { return inner_.size(); }
  void reserve(std::size_t keys) { inner_.reserve(keys); }
  hasher hash_function() const { return inner_.hash_function(); }
  auto key_eq() const { return inner_.key_eq(); }

 private:
  inner inner_;
};

TEST_P(reduce_by_key_on, takes_any_table_and_makes_one_of_its_parts) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 300 && n != 65'536) return;
    std::vector<int> keys = random.numbers(n, 1 << 30);
    auto found = count_by_key(any_grain(random), keys, std::identity(), bare_table(17));
    EXPECT_EQ(all_of_it(found), counted(keys));
    const std::size_t size = found.size();
    const bare_table all = std::move(found).to_map();
    EXPECT_EQ(all.size(), size);
    EXPECT_EQ(all.hash_function().factor, 17u);
    for (const int key : keys) EXPECT_NE(all.find(key), all.end());
  });
}

TEST(reduce_by_key, goes_over_parts_that_are_empty) {
  using map = std::unordered_map<int, int>;
  const std::vector<map> parts{{}, {{1, 2}}, {}, {{3, 4}}};
  const partitioned_map<map> all(parts, 2);
  std::vector<int> keys;
  for (const auto& each : all) keys.push_back(each.first);
  EXPECT_EQ(keys, (std::vector<int>{1, 3}));
  EXPECT_EQ(all.size(), 2u);
  EXPECT_EQ(partitioned_map<map>(parts, 2).to_map(), (map{{1, 2}, {3, 4}}));
  const partitioned_map<map> none;
  EXPECT_TRUE(none.empty() && none.begin() == none.end() && !none.contains(1));
  EXPECT_TRUE(partitioned_map<map>().to_map().empty());
  static_assert(std::ranges::forward_range<const partitioned_map<map>>);
}

TEST(reduce_by_key, counts_the_bits_of_a_vector) {
  const std::vector<bool> bits{true, false, true};
  EXPECT_EQ(all_of_it(count_by_key(bits)), (std::map<bool, std::uint64_t>{{false, 1}, {true, 2}}));
}

TEST(reduce_by_key, a_key_of_many_elements_takes_no_memory_for_each) {
  thread_pool pool({.workers = 1});
  std::vector<int> keys(20'000);
  for (std::size_t i = 0; i != keys.size(); ++i) keys[i] = static_cast<int>(i);
  keys.insert(keys.end(), 100'000, 7);
  const int before = fragile::live;
  int most = 0;
  const auto combine = [&](const fragile& a, const fragile& b) {
    most = (std::max)(most, fragile::live - before);
    return fragile(a.number() + b.number());
  };
  const auto one = [](int) { return fragile(1); };
  const auto found = reduce_by_key(with(pool), keys, std::identity(), one, combine);
  EXPECT_EQ(found.value_or(7, 0).number(), 100'001);
  EXPECT_LT(most, 50'000);
}

#if !defined(FILCH_TESTING)
TEST_P(reduce_by_key_on, drops_all_values_wherever_one_throws) {
  thread_pool pool({.workers = GetParam()});
  std::vector<int> keys(60'000);
  for (std::size_t i = 0; i != keys.size(); ++i) keys[i] = static_cast<int>(i % 30'000);
  const int before = fragile::live;
  const auto throws_at = [&](int step, const settings& how) {
    base::atomic<int> calls{0};
    const auto combine = [&](fragile a, const fragile&) {
      if (calls.fetch_add(1, base::relaxed) == step) throw fragile::broken();
      return a;
    };
    const auto made = [](int key) { return fragile(key); };
    EXPECT_THROW(reduce_by_key(how, keys, std::identity(), made, combine), fragile::broken);
    EXPECT_EQ(fragile::live, before);
  };
  for (const int step : {0, 1, 100, 10'000, 29'999}) {
    throws_at(step, with(pool));
    throws_at(step, with(pool, deterministic));
  }
}
#endif

}  // namespace
}  // namespace filch::algo
