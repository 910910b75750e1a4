#pragma once
// What the tests of sorting sort.
#include <filch/algo/algo_test.hpp>
#include <filch/base/atomic.hpp>
#include <filch/base/panic.hpp>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace filch::inline v0_2::algo {

enum class arrangement_of_test {
  random,
  few_distinct,
  equal,
  ascending,
  descending,
  nearly_ascending,
  nearly_descending,
  organ_pipe,
  saw
};
inline constexpr arrangement_of_test all_arrangements[] = {arrangement_of_test::random,
                                                           arrangement_of_test::few_distinct,
                                                           arrangement_of_test::equal,
                                                           arrangement_of_test::ascending,
                                                           arrangement_of_test::descending,
                                                           arrangement_of_test::nearly_ascending,
                                                           arrangement_of_test::nearly_descending,
                                                           arrangement_of_test::organ_pipe,
                                                           arrangement_of_test::saw};

/// Returns that many numbers in some arrangement.
inline std::vector<int> arranged(arrangement_of_test how, std::size_t n, draw& random) {
  std::vector<int> values =
      random.numbers(n, how == arrangement_of_test::few_distinct ? 5 : static_cast<int>(n));
  const auto displace_some = [&] {
    for (std::size_t i = 0; i < n / 64; ++i) std::swap(values[random(n)], values[random(n)]);
  };
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(n / 2);
  switch (how) {
    case arrangement_of_test::random:
    case arrangement_of_test::few_distinct: break;
    case arrangement_of_test::equal: std::fill(values.begin(), values.end(), 7); break;
    case arrangement_of_test::ascending: std::sort(values.begin(), values.end()); break;
    case arrangement_of_test::descending: std::sort(values.rbegin(), values.rend()); break;
    case arrangement_of_test::nearly_ascending:
      std::sort(values.begin(), values.end());
      displace_some();
      break;
    case arrangement_of_test::nearly_descending:
      std::sort(values.rbegin(), values.rend());
      displace_some();
      break;
    case arrangement_of_test::organ_pipe:
      std::sort(values.begin(), middle);
      std::sort(std::make_reverse_iterator(values.end()), std::make_reverse_iterator(middle));
      break;
    case arrangement_of_test::saw:
      for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(i % 17);
      break;
  }
  return values;
}

template <class T>
std::vector<T> sorted_copy(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values;
}

/// Elements with equal keys differ by the place they came from.
template <class Key>
struct record {
  Key key;
  int place;
  friend bool operator==(const record&, const record&) = default;
};

template <class Key>
std::vector<record<Key>> records(const std::vector<int>& keys, const auto& make_key) {
  std::vector<record<Key>> all;
  for (const int each : keys)
    all.push_back({static_cast<Key>(make_key(each)), static_cast<int>(all.size())});
  return all;
}
inline constexpr auto as_number = [](int key) { return key; };
inline const auto as_text = [](int key) { return std::string(20, 'x') + std::to_string(key); };

/// A text that must not be moved to itself.
struct picky {
  std::string text;
  picky() = default;
  explicit picky(std::string of) : text{std::move(of)} {}
  picky(const picky&) = default;
  picky& operator=(const picky&) = default;
  picky(picky&&) = default;
  picky& operator=(picky&& other) noexcept {
    EXPECT_NE(this, &other);
    text = std::move(other.text);
    return *this;
  }
  friend bool operator==(const picky&, const picky&) = default;
  friend auto operator<=>(const picky&, const picky&) = default;
};

inline std::vector<picky> picky_ones(const std::vector<int>& keys) {
  std::vector<picky> all;
  for (const int each : keys) all.emplace_back(as_text(each));
  return all;
}

/// Goes through numbers by proxies, as std::ranges::sort takes them. Stops the test if it would
/// leave them, even by an addition whose result is never read.
class guarded_iterator {
 public:
  class place {
   public:
    explicit place(int* at) : at_{at} {}
    place(const place&) = default;
    const place& operator=(const place& other) const { return *this = int{other}; }
    const place& operator=(int value) const {
      *at_ = value;
      return *this;
    }
    operator int() const { return *at_; }

   private:
    int* at_;
  };
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using reference = place;
  using iterator_category = std::random_access_iterator_tag;

  guarded_iterator() = default;
  guarded_iterator(std::vector<int>& all, difference_type at) : all_{&all}, at_{at} {}

  place operator*() const { return place(&all_->at(static_cast<std::size_t>(at_))); }
  place operator[](difference_type n) const { return *(*this + n); }
  guarded_iterator& operator+=(difference_type n) {
    at_ += n;
    FILCH_ASSERT(at_ >= 0 && at_ <= std::ssize(*all_), "an iterator stays inside its range", at_);
    return *this;
  }
  guarded_iterator& operator-=(difference_type n) { return *this += -n; }
  guarded_iterator& operator++() { return *this += 1; }
  guarded_iterator& operator--() { return *this -= 1; }
  guarded_iterator operator++(int) { return ++*this - 1; }
  guarded_iterator operator--(int) { return --*this + 1; }
  friend guarded_iterator operator+(guarded_iterator it, difference_type n) { return it += n; }
  friend guarded_iterator operator+(difference_type n, guarded_iterator it) { return it += n; }
  friend guarded_iterator operator-(guarded_iterator it, difference_type n) { return it -= n; }
  friend difference_type operator-(guarded_iterator a, guarded_iterator b) { return a.at_ - b.at_; }
  friend bool operator==(guarded_iterator a, guarded_iterator b) { return a.at_ == b.at_; }
  friend auto operator<=>(guarded_iterator a, guarded_iterator b) { return a.at_ <=> b.at_; }

 private:
  std::vector<int>* all_ = nullptr;
  difference_type at_ = 0;
};

/// Counts how many live, and how many steps remain before one throws.
template <class Kind>
class counted {
 public:
  struct broken {};
  counted() { living_.fetch_add(1, base::relaxed); }
  counted(const counted&) : counted() {}
  counted& operator=(const counted&) = default;
  ~counted() { living_.fetch_sub(1, base::relaxed); }

  static void throw_after(std::uint64_t events) { allowed_.store(events, base::relaxed); }
  static void never_throw() { throw_after(~std::uint64_t{0} / 2); }
  static std::int64_t living() { return living_.load(base::relaxed); }

 protected:
  static void happens() {
    if (allowed_.fetch_sub(1, base::relaxed) - 1 > ~std::uint64_t{0} / 2) throw broken{};
  }

 private:
  static inline base::atomic<std::int64_t> living_{0};
  static inline base::atomic<std::uint64_t> allowed_{~std::uint64_t{0} / 2};
};

/// Throws when it is compared. Owns memory, so that a sanitizer sees a lost one.
class fragile : public counted<fragile> {
 public:
  int key = 0;
  friend bool operator<(const fragile& a, const fragile& b) {
    happens();
    return a.key < b.key;
  }
  friend bool operator==(const fragile& a, const fragile& b) { return a.key == b.key; }
  friend auto operator<=>(const fragile& a, const fragile& b) {
    happens();
    return a.key <=> b.key;
  }
};

/// Throws when it is moved or copied.
class throws_on_move : public counted<throws_on_move> {
 public:
  int key = 0;
  throws_on_move() = default;
  throws_on_move(const throws_on_move& other) : counted(other), key{other.key} { happens(); }
  throws_on_move& operator=(const throws_on_move& other) {
    happens();
    key = other.key;
    return *this;
  }
  friend bool operator==(const throws_on_move& a, const throws_on_move& b) {
    return a.key == b.key;
  }
  friend auto operator<=>(const throws_on_move& a, const throws_on_move& b) {
    return a.key <=> b.key;
  }
};

template <class Element>
std::vector<Element> with_random_keys(std::size_t n, draw& random) {
  std::vector<Element> all(n);
  for (Element& each : all) each.key = static_cast<int>(random(n));
  return all;
}

/// Sorts elements whose comparisons throw, from the first or a later one on. None may be lost.
template <class Sort>
void expect_nothing_lost_when_a_comparison_throws(draw& random, Sort sort) {
  for (const std::size_t n : {2, 5, 15, 33, 100, 700}) {
    const auto values = with_random_keys<fragile>(n, random);
    for (std::uint64_t quiet = 0; quiet < 3 * n; quiet += 1 + random(1 + n / 4)) {
      auto tried = values;
      fragile::throw_after(quiet);
      try {
        sort(tried);
        EXPECT_GT(quiet, 0u);
      } catch (const fragile::broken&) {
      }
      fragile::never_throw();
      ASSERT_EQ(sorted_copy(tried), sorted_copy(values)) << n << " elements, comparison " << quiet;
    }
  }
}

/// Sorts by a comparison that is no order, and doubles with NaNs among them: each element is still
/// there, once, and those beside are untouched.
template <class Sort>
void expect_all_kept_without_an_order(std::size_t n, draw& random, Sort sort) {
  std::vector<int> values = random.numbers(n + 2, 1'000);
  values.front() = values.back() = -1;
  const auto expected = sorted_copy(values);
  sort(values.begin() + 1, values.end() - 1,
       [](int a, int b) { return (a * 7919 + b * 104729) % 3 == 0; });
  ASSERT_EQ(values.front(), -1);
  ASSERT_EQ(values.back(), -1);
  ASSERT_EQ(sorted_copy(values), expected);

  std::vector<double> numbers(n);
  for (double& each : numbers)
    each = random(8) == 0 ? std::numeric_limits<double>::quiet_NaN()
                          : static_cast<double>(random(1'000));
  const auto counted = [](std::vector<double> those) {
    std::ranges::replace_if(
        those, [](double each) { return std::isnan(each); }, -1.0);
    return sorted_copy(those);
  };
  const auto all = counted(numbers);
  sort(numbers.begin(), numbers.end(), std::less<>{});
  ASSERT_EQ(counted(numbers), all);
}

/// Sorts elements of which the first or a later move throws: the rest is whole. Afterwards none may
/// live.
template <class Sort>
void let_moves_throw(draw& random, Sort sort) {
  for (const std::size_t n : {2, 15, 40, 700}) {
    for (std::uint64_t quiet = 0; quiet < 4 * n; quiet += 1 + random(1 + n / 2)) {
      auto values = with_random_keys<throws_on_move>(n, random);
      throws_on_move::throw_after(quiet);
      try {
        sort(values);
      } catch (const throws_on_move::broken&) {
      }
      throws_on_move::never_throw();
    }
  }
}

}  // namespace filch::algo
