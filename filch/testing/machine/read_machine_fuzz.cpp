// The property of machine files on the corpus that libFuzzer has left, for every compiler, and on
// damaged copies of it.
#include <filch/base/corpus_fuzz.hpp>

namespace filch::inline v0_2::base {
namespace {

TEST(read_machine_fuzz, the_kept_corpus_holds) {
  for (const text_property& each : text_properties())
    expect_corpus_holds(
        each, std::filesystem::path{FILCH_CORPUS} / (std::string{each.name} + ".txt"), 2000);
}

}  // namespace
}  // namespace filch::base
