// The properties of the parsers on the corpus that libFuzzer has left, for every compiler. What it
// found wrong once lies there too.
#include <filch/base/corpus_fuzz.hpp>

namespace filch::inline v0_2::base {
namespace {

TEST(parsers_fuzz, the_kept_corpus_holds) {
  for (const text_property& each : text_properties())
    expect_corpus_holds(each,
                        std::filesystem::path{FILCH_CORPUS} / (std::string{each.name} + ".txt"), 0);
}

}  // namespace
}  // namespace filch::base
