#include <filch/algo/algo_test.hpp>
#include <filch/algo/fragile_test.hpp>
#include <filch/algo/pack.hpp>

#include <algorithm>
#include <atomic>
#include <string>

namespace filch::inline v0_2::algo {
namespace {

class pack_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, pack_on, widths);

settings any_grain(draw& random) {
  settings how;
  if (random(2) == 0) how.grain = 1 + random(200);
  how.is_deterministic = random(4) == 0;
  return how;
}

/// Holds for a share of the numbers below 100 that is itself drawn: none, all, and between.
auto any_choice(draw& random) {
  const int bound = static_cast<int>(random(5) * 25);
  return [bound](int each) { return each < bound; };
}

TEST_P(pack_on, copies_what_std_copies_and_writes_nothing_else) {
  on_all_sizes([](std::size_t n, draw& random) {
    const auto in = random.numbers(n, 100);
    const auto pred = any_choice(random);
    std::vector<int> out(n + 1, -1), expected(n + 1, -1);
    const auto end = std::copy_if(in.begin(), in.end(), expected.begin(), pred);
    const auto ends = copy_if(any_grain(random), in, out.begin(), pred);
    EXPECT_EQ(ends.in, in.end());
    EXPECT_EQ(ends.out - out.begin(), end - expected.begin());
    EXPECT_EQ(out, expected);
  });
}

TEST_P(pack_on, asks_each_element_once) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<std::atomic<int>> asked(n);
    std::vector<int> in(n), out(n);
    for (std::size_t i = 0; i != n; ++i) in[i] = static_cast<int>(i);
    copy_if(any_grain(random), in.begin(), in.end(), out.begin(),
            [&](int each) { return ++asked[static_cast<std::size_t>(each)] == 1; });
    for (const auto& each : asked) ASSERT_EQ(each, 1);
    EXPECT_EQ(out, in);
  });
}

TEST_P(pack_on, asks_what_a_projection_gives) {
  on_all_sizes([](std::size_t n, draw& random) {
    struct named {
      int number;
      std::string name;
      bool operator==(const named&) const = default;
    };
    std::vector<named> in(n), out(n), expected(n);
    for (named& each : in) each = {static_cast<int>(random(100)), std::to_string(random())};
    const auto pred = any_choice(random);
    const auto end = std::ranges::copy_if(in, expected.begin(), pred, &named::number).out;
    EXPECT_EQ(copy_if(in, out.begin(), pred, &named::number).out - out.begin(),
              end - expected.begin());
    EXPECT_EQ(out, expected);
  });
}

TEST_P(pack_on, packs_by_flags_that_are_bits) {
  on_all_sizes([](std::size_t n, draw& random) {
    const auto in = random.numbers(n, 100);
    std::vector<bool> flags(n);
    std::vector<int> out(n), expected(n);
    auto end = expected.begin();
    for (std::size_t i = 0; i != n; ++i) {
      flags[i] = random(3) == 0;
      if (flags[i]) *end++ = in[i];
    }
    EXPECT_EQ(pack(any_grain(random), in, flags, out.begin()).out - out.begin(),
              end - expected.begin());
    EXPECT_EQ(out, expected);
  });
}

TEST_P(pack_on, copies_to_one_side_or_the_other) {
  on_all_sizes([](std::size_t n, draw& random) {
    const auto in = random.numbers(n, 100);
    const auto pred = any_choice(random);
    std::vector<int> yes(n), no(n), expected_yes(n), expected_no(n);
    const auto expected =
        std::ranges::partition_copy(in, expected_yes.begin(), expected_no.begin(), pred);
    const auto ends = partition_copy(any_grain(random), in, yes.begin(), no.begin(), pred);
    EXPECT_EQ(ends.out1 - yes.begin(), expected.out1 - expected_yes.begin());
    EXPECT_EQ(ends.out2 - no.begin(), expected.out2 - expected_no.begin());
    EXPECT_EQ(yes, expected_yes);
    EXPECT_EQ(no, expected_no);
  });
}

TEST_P(pack_on, throws_what_the_predicate_throws) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n == 0) return;
    std::vector<std::size_t> in(n), out(n);
    for (std::size_t i = 0; i != n; ++i) in[i] = i;
    const std::size_t last = random(n);
    const auto fail_at_last = [last](std::size_t each) { return each == last ? throw last : true; };
    EXPECT_THROW(copy_if(any_grain(random), in, out.begin(), fail_at_last), std::size_t);
  });
}

TEST_P(pack_on, nothing_leaks_or_is_torn_wherever_a_copy_throws) {
  repeatedly([](draw& random) {
    const int before = fragile::live;
    {
      const std::vector<int> numbers = random.numbers(40, 100);
      const std::vector<fragile> from(numbers.begin(), numbers.end());
      std::vector<fragile> low(40, -7), high(40, -7);
      const int kept = fragile::live;
      const auto is_low = [](const fragile& each) { return each.number() < 50; };
      fragile::at_every_step(
          [&] { partition_copy(with(grain_items{4}), from, low.begin(), high.begin(), is_low); },
          [&](bool) {
            ASSERT_EQ(fragile::live, kept);
            for (const fragile& each : low) ASSERT_TRUE(is_low(each));
            for (const fragile& each : high) ASSERT_TRUE(each.number() == -7 || !is_low(each));
          });
    }
    EXPECT_EQ(fragile::live, before);
  });
}

}  // namespace
}  // namespace filch::algo
