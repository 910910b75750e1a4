// The decoder of messages against bytes that were damaged, and the corpus that libFuzzer has left.
#include <filch/base/corpus_fuzz.hpp>
#include <filch/dist/wire.hpp>

namespace {

using namespace filch;

std::string some_message(base::split_mix64& random) {
  dist::message said;
  said.what = static_cast<dist::kind>(random() % dist::kind_count);
  said.is_lifeline = random() % 2 == 0;
  said.sent = random() >> random() % 64;
  said.received = random() >> random() % 64;
  said.payload = std::string(random() % 40, 'p');
  return dist::links{{.epoch = 2, .signature = 5}, 0, 3}.encode(1, said);
}

TEST(wire_fuzz, damaged_messages_are_refused_or_make_sense) {
  const std::uint64_t seed = base::first_seed();
  for (std::uint64_t at = seed; at < seed + 50'000; ++at) {
    base::split_mix64 random{at};
    const std::string whole = some_message(random);
    const auto violation = base::property_called("rank_message").violation;
    ASSERT_EQ(violation(whole), "") << "FILCH_SEED=" << at;
    ASSERT_EQ(violation(base::damaged(whole, random, 8)), "") << "FILCH_SEED=" << at;
  }
}

TEST(wire_fuzz, the_kept_corpus_holds) {
  base::expect_corpus_holds(base::property_called("rank_message"),
                            std::filesystem::path{FILCH_CORPUS} / "rank_message.txt", 2'000);
}

}  // namespace
