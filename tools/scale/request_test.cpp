#include <filch/base/scratch_folder.hpp>
#include <gtest/gtest.h>
#include <tools/scale/request.hpp>

#include <stdexcept>

namespace {

using namespace filch::scaling;
using counts = std::vector<unsigned>;

TEST(request, takes_numbers_of_workers_one_by_one) {
  EXPECT_EQ(worker_counts("1"), counts{1});
  EXPECT_EQ(worker_counts("8,1,256"), (counts{8, 1, 256}));
}

TEST(request, goes_on_by_the_ratio_of_two_numbers) {
  EXPECT_EQ(worker_counts("1,2,...,16"), (counts{1, 2, 4, 8, 16}));
  EXPECT_EQ(worker_counts("1,2,...,24"), (counts{1, 2, 4, 8, 16, 24}));
  EXPECT_EQ(worker_counts("1,4,...,256"), (counts{1, 4, 16, 64, 256}));
}

TEST(request, says_what_is_wrong_with_numbers_of_workers) {
  for (const char* wrong :
       {"", "0", "1,", "one", "-1", "5000", "...", "1,...,8", "2,2,...,8", "1,2,...", "1 2"})
    EXPECT_THROW(worker_counts(wrong), std::invalid_argument) << wrong;
}

TEST(request, has_all_powers_of_two_and_all_cores_if_none_are_given) {
  EXPECT_EQ(usual_worker_counts(1), counts{1});
  EXPECT_EQ(usual_worker_counts(16), (counts{1, 2, 4, 8, 16}));
  EXPECT_EQ(usual_worker_counts(6), (counts{1, 2, 4, 6}));
}

TEST(request, finds_a_machine_by_its_name_or_its_file) {
  const filch::base::scratch_folder folder;
  const auto file = folder.write("filch/testing/machines/mine.toml", "");
  EXPECT_EQ(find_machine("mine", folder.string()), file);
  EXPECT_EQ(find_machine("other/mine.toml", folder.string()), "other/mine.toml");
  try {
    find_machine("yours", folder.string());
    FAIL();
  } catch (const std::invalid_argument& wrong) {
    EXPECT_NE(std::string(wrong.what()).find("mine"), std::string::npos) << wrong.what();
  }
}

TEST(request, knows_how_wrong_a_machine_was) {
  const filch::base::scratch_folder folder;
  EXPECT_EQ(error_of(folder / "big.toml"), std::nullopt);
  folder.write("here-2.validated.json", R"({"median_error": 0.05, "largest_error": 0.2})");
  EXPECT_EQ(error_of(folder / "big.toml")->machine, "here-2");
  folder.write("big.validated.json", R"({"median_error": 0.25, "largest_error": 0.5})");
  EXPECT_EQ(error_of(folder / "big.toml")->median, 0.25);
  EXPECT_EQ(error_of(folder / "big.toml")->machine, "big");
}

}  // namespace
