#include <bench/uts/filch.hpp>
#include <filch/base/rng.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace {

using namespace bench;

constexpr sha1_words hash(std::string_view message, int times = 1) {
  sha1 hasher;
  for (int i = 0; i < times; ++i) {
    for (const char c : message) {
      const std::uint8_t byte = static_cast<std::uint8_t>(c);
      hasher.update({&byte, 1});
    }
  }
  return hasher.digest();
}

// The examples of FIPS 180-4.
static_assert(hash("abc") ==
              sha1_words{0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d});
static_assert(hash("") == sha1_words{0xda39a3ee, 0x5e6b4b0d, 0x3255bfef, 0x95601890, 0xafd80709});

TEST(sha1, hashes_a_padded_second_block) {
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            (sha1_words{0x84983e44, 0x1c3bd26e, 0xbaae4aa1, 0xf95129e5, 0xe54670f1}));
}

TEST(sha1, hashes_a_million_letters) {
  EXPECT_EQ(hash("a", 1'000'000),
            (sha1_words{0x34aa973c, 0xd4c4daa4, 0xf61eeb2b, 0xdbad2731, 0x6534016f}));
}

TEST(sha1, by_instructions_is_that_of_any_processor) {
  filch::base::split_mix64 random{1};
  const auto fill = [&](auto& words) {
    std::ranges::generate(words, [&] { return static_cast<std::uint32_t>(random()); });
  };
  for (int i = 0; i < 1000; ++i) {
    sha1_words state{}, expected{};
    sha1_block block{};
    fill(state);
    fill(block);
    expected = state;
    sha1_compress_anywhere(expected, block);
    sha1_compress(state, block);
    ASSERT_EQ(state, expected) << "block " << i;
  }
}

TEST(sha1, of_a_padded_block_is_the_hash_of_the_message) {
  EXPECT_EQ(sha1_of_padded({0x61626380, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24}),
            hash("abc"));
}

/// A small binomial tree for what need not be slow.
constexpr uts::tree small_tree = {.type = uts::kind::binomial,
                                  .root_branching = 50,
                                  .nonleaf_chance = 0.15,
                                  .nonleaf_children = 6,
                                  .seed = 3};

TEST(uts, t1_has_the_published_counts) {
  const auto& t1 = uts::sample("T1");
  EXPECT_EQ(uts::check(t1, uts::serial(t1.parameters)), "");
}

TEST(uts, filch_counts_what_recursion_counts) {
  const uts::tally expected = uts::serial(small_tree);
  EXPECT_GT(expected.nodes, 200u);
  for (const unsigned workers : {1u, 2u, 5u}) {
    filch::thread_pool pool{{.workers = workers}};
    EXPECT_EQ(pool.run([] { return uts::on_filch(small_tree); }), expected)
        << workers << " workers";
  }
}

TEST(uts, a_wrong_count_is_noticed) {
  const auto& t1 = uts::sample("T1");
  uts::tally nearly = t1.published;
  --nearly.depth;
  EXPECT_EQ(uts::check(t1, nearly),
            "T1: counted 4130071 nodes, depth 9, 3305118 leaves, published are 4130071 nodes, "
            "depth 10, 3305118 leaves");
}

TEST(uts, an_unknown_tree_is_answered_with_the_known_ones) {
  try {
    uts::sample("T9");
    FAIL() << "no exception";
  } catch (const std::invalid_argument& refusal) {
    EXPECT_STREQ(refusal.what(), "no sample tree 'T9': choose one of T1, T2, T3, T4, T5, T1L, T3L");
  }
}

}  // namespace
