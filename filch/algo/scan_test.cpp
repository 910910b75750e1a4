#include <filch/algo/algo_test.hpp>
#include <filch/algo/scan.hpp>

#include <atomic>
#include <functional>
#include <numeric>
#include <set>
#include <string>

namespace filch::inline v0_2::algo {
namespace {

class scan_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, scan_on, widths);

/// x -> scale * x + shift modulo 2^32: composed, they are associative and do not commute.
struct affine {
  std::uint32_t scale = 1;
  std::uint32_t shift = 0;
  friend bool operator==(const affine&, const affine&) = default;
};
constexpr auto then = [](const affine& f, const affine& g) {
  return affine{f.scale * g.scale, g.scale * f.shift + g.shift};
};

std::vector<affine> affines(std::size_t n, draw& random) {
  std::vector<affine> all(n);
  for (affine& each : all)
    each = {static_cast<std::uint32_t>(random()) | 1, static_cast<std::uint32_t>(random())};
  return all;
}

/// By measure, or in chunks so short that small inputs too have many.
settings any_grain(draw& random) {
  settings how;
  how.grain = random(2) == 0 ? 0 : 1 + random(20);
  how.is_deterministic = random(4) == 0;
  return how;
}

TEST_P(scan_on, sums_what_std_sums_and_in_that_order) {
  on_all_sizes([](std::size_t n, draw& random) {
    const auto in = affines(n, random);
    const settings how = any_grain(random);
    const affine start = affines(1, random)[0];
    std::vector<affine> out(n), expected(n);
    std::inclusive_scan(in.begin(), in.end(), expected.begin(), then);
    const auto ends = inclusive_scan(how, in, out.begin(), then);
    EXPECT_EQ(ends.in, in.end());
    EXPECT_EQ(ends.out, out.end());
    EXPECT_EQ(out, expected);
    std::inclusive_scan(in.begin(), in.end(), expected.begin(), then, start);
    inclusive_scan(how, in.begin(), in.end(), out.begin(), then, start);
    EXPECT_EQ(out, expected);
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), start, then);
    EXPECT_EQ(exclusive_scan(how, in, out.begin(), start, then).out, out.end());
    EXPECT_EQ(out, expected);
  });
}

TEST_P(scan_on, writes_over_its_own_input) {
  on_all_sizes([](std::size_t n, draw& random) {
    const auto in = affines(n, random);
    const settings how = any_grain(random);
    auto out = in, expected = in;
    std::inclusive_scan(in.begin(), in.end(), expected.begin(), then);
    inclusive_scan(how, out, out.begin(), then);
    EXPECT_EQ(out, expected);
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), affine{}, then);
    exclusive_scan(how, out = in, out.begin(), affine{}, then);
    EXPECT_EQ(out, expected);
  });
}

TEST_P(scan_on, adds_in_the_type_of_the_start_or_of_what_the_map_gives) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> in = random.numbers(n, 1000);
    std::vector<std::uint64_t> out(n), expected(n);
    const auto huge = [](int each) {
      return std::uint64_t{1} << 40 | static_cast<std::uint64_t>(each);
    };
    std::transform_inclusive_scan(in.begin(), in.end(), expected.begin(), std::plus<>{}, huge);
    transform_inclusive_scan(any_grain(random), in, out.begin(), std::plus<>{}, huge);
    EXPECT_EQ(out, expected);
    std::transform_inclusive_scan(in.begin(), in.end(), expected.begin(), std::plus<>{}, huge,
                                  std::uint64_t{7});
    transform_inclusive_scan(with(grain_items{3}), in, out.begin(), std::plus<>{}, huge,
                             std::uint64_t{7});
    EXPECT_EQ(out, expected);
    std::transform_exclusive_scan(in.begin(), in.end(), expected.begin(), std::uint64_t{7},
                                  std::plus<>{}, huge);
    transform_exclusive_scan(any_grain(random), in, out.begin(), std::uint64_t{7}, std::plus<>{},
                             huge);
    EXPECT_EQ(out, expected);
  });
}

TEST_P(scan_on, reads_bits_and_counts_them) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<bool> bits(n);
    for (std::size_t i = 0; i != n; ++i) bits[i] = random(2) == 0;
    std::vector<std::size_t> ranks(n), expected(n);
    std::exclusive_scan(bits.begin(), bits.end(), expected.begin(), std::size_t{0});
    exclusive_scan(any_grain(random), bits, ranks.begin(), std::size_t{0});
    EXPECT_EQ(ranks, expected);
  });
}

TEST_P(scan_on, sums_doubles_in_fours_that_are_right) {
  on_all_sizes([](std::size_t n, draw& random) {
    // Sums of small integers have no rounding to hide behind
    const std::vector<int> numbers = random.numbers(n, 1000);
    const std::vector<double> in(numbers.begin(), numbers.end());
    std::vector<double> out(n), expected(n);
    std::inclusive_scan(in.begin(), in.end(), expected.begin());
    inclusive_scan(any_grain(random), in, out.begin());
    EXPECT_EQ(out, expected);
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0.5);
    exclusive_scan(any_grain(random), in, out.begin(), 0.5);
    EXPECT_EQ(out, expected);
  });
}

TEST(scan, deterministic_floats_have_the_same_bits_at_every_width) {
  std::vector<float> in(200'000);
  draw random{5};
  for (float& each : in) each = static_cast<float>(random(1'000'000)) / 7.0f;
  std::set<std::vector<float>> sums, others, mapped, exclusive;
  const auto third = [](float each) { return each / 3; };
  for (const unsigned workers : {1u, 2u, 3u, 5u}) {
    thread_pool pool({.workers = workers});
    for (int round = 0; round < 4; ++round) {
      std::vector<float> out(in.size());
      inclusive_scan(with(deterministic, pool), in, out.begin());
      sums.insert(out);
      inclusive_scan(with(deterministic, pool), in, out.begin(),
                     [](float a, float b) { return a + b; });
      others.insert(out);
      transform_inclusive_scan(with(deterministic, pool), in, out.begin(), std::plus<>{}, third);
      mapped.insert(out);
      exclusive_scan(with(deterministic, pool), in, out.begin(), 0.5f);
      exclusive.insert(out);
    }
  }
  EXPECT_EQ(sums.size(), 1u);
  EXPECT_EQ(others.size(), 1u);
  EXPECT_EQ(mapped.size(), 1u);
  EXPECT_EQ(exclusive.size(), 1u);
}

/// A string that counts how many of it there are, and throws when its turn has come.
struct fragile {
  std::string text;
  static inline std::atomic<int> alive{0};
  static inline std::atomic<int> until_throw{0};

  explicit fragile(std::string t) : text{std::move(t)} { ++alive; }
  fragile(const fragile& other) : text{other.text} {
    if (--until_throw == 0) throw 42;
    ++alive;
  }
  fragile(fragile&& other) noexcept : text{std::move(other.text)} { ++alive; }
  fragile& operator=(const fragile&) = default;
  ~fragile() { --alive; }
};

TEST_P(scan_on, leaks_nothing_wherever_a_copy_throws) {
  repeatedly([](draw&) {
    constexpr std::size_t n = 12;
    const auto join_texts = [](const fragile& a, const fragile& b) {
      return fragile(a.text + b.text);
    };
    std::string expected;
    {
      std::vector<fragile> in, out;
      in.reserve(n), out.reserve(n);
      for (std::size_t i = 0; i != n; ++i) {
        in.emplace_back(std::string(20, static_cast<char>('a' + i)));
        out.emplace_back("");
        expected += in.back().text;
      }
      bool has_thrown = true;
      for (int turn = 1; has_thrown; ++turn) {
        fragile::until_throw = turn;
        try {
          has_thrown = false;
          inclusive_scan(with(grain_items{1}), in, out.begin(), join_texts);
        } catch (int) {
          has_thrown = true;
        }
        ASSERT_EQ(fragile::alive, static_cast<int>(2 * n)) << "at copy " << turn;
      }
      EXPECT_EQ(out.back().text, expected);
    }
    EXPECT_EQ(fragile::alive, 0);
  });
}

TEST_P(scan_on, a_stop_that_was_asked_for_ends_it) {
  repeatedly([](draw& random) {
    std::stop_source source;
    const std::uint64_t last = random(1'900);
    std::vector<std::uint64_t> in(2'000), out(2'000);
    std::iota(in.begin(), in.end(), 0);
    const auto stop_at_last = [&](std::uint64_t each) {
      if (each == last) source.request_stop();
      return each;
    };
    const settings how = with(source.get_token(), grain_items{10});
    EXPECT_THROW(transform_inclusive_scan(how, in, out.begin(), std::plus<>{}, stop_at_last),
                 stopped);
    EXPECT_THROW(inclusive_scan(with(source.get_token()), in, out.begin()), stopped);
  });
}

TEST_P(scan_on, expensive_elements_are_scanned_by_operations_that_fork_themselves) {
  repeatedly([](draw& random) {
    const std::vector<int> in = random.numbers(40, 1000);
    std::vector<int> out(in.size()), expected(in.size());
    const auto add = [](int a, int b) {
      return parallel_reduce(
          0, 2, 0, [=](int side) { return side == 0 ? a : b; }, std::plus<>{});
    };
    std::inclusive_scan(in.begin(), in.end(), expected.begin());
    inclusive_scan(with(grain_items{1}), in, out.begin(), add);
    EXPECT_EQ(out, expected);
  });
}

}  // namespace
}  // namespace filch::algo
