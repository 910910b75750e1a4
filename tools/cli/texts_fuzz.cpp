// The program's readers of text on the corpus that libFuzzer has left, and on texts of it that were
// damaged.
#include <filch/base/corpus_fuzz.hpp>

namespace filch::inline v0_2::base {
namespace {

TEST(texts_fuzz, the_kept_corpus_holds_and_so_does_what_is_left_of_it_when_it_is_damaged) {
  for (const text_property& each : text_properties())
    expect_corpus_holds(
        each, std::filesystem::path{FILCH_CORPUS} / (std::string{each.name} + ".txt"), 20);
}

}  // namespace
}  // namespace filch::base
