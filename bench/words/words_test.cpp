#include <bench/words/filch.hpp>
#include <gtest/gtest.h>

#include <fstream>

namespace {

using namespace bench::words;
namespace fs = std::filesystem;

/// A folder of its own for a test, with what the test writes into it.
class tree {
 public:
  tree() {
    std::string name = (fs::temp_directory_path() / "filch_words_XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~tree() { fs::remove_all(root_); }

  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }
  std::vector<file> files() const { return files_below(root_); }

 private:
  fs::path root_;
};

TEST(words, are_runs_of_letters_whatever_their_case) {
  const tree t;
  t.write("a", "Two words, two\nWORDS3words");
  t.write("below/it", "two");
  const tally counted = serial(t.files());
  EXPECT_EQ(counted.text_files, 2u);
  EXPECT_EQ(counted.words, (decltype(counted.words){{"two", 3}, {"words", 3}}));
}

TEST(words, what_is_no_text_counts_as_none) {
  const tree t;
  t.write("picture", std::string("words\0words", 11));
  t.write("late", std::string(page_bytes, ' ') + '\0' + "late");
  t.write("empty", "");
  const tally counted = serial(t.files());
  EXPECT_EQ(counted.text_files, 2u);
  EXPECT_EQ(counted.words, (decltype(counted.words){{"late", 1}}));
}

TEST(words, of_a_file_longer_than_the_buffer_are_not_cut) {
  const tree t;
  const std::string blank(chunk_bytes - 3, ' ');
  t.write("long", blank + "across" + std::string(2 * chunk_bytes, ' ') + "end");
  EXPECT_EQ(serial(t.files()).words, (decltype(tally::words){{"across", 1}, {"end", 1}}));
}

TEST(words, filch_counts_what_the_loop_counts) {
  const tree t;
  for (int i = 0; i < 40; ++i) {
    std::string text;
    for (int k = 0; k < i * i; ++k)
      text += (k % 3 == 0 ? "alpha " : "beta ") +
              std::string(static_cast<std::size_t>(k % 7), 'c') + '\n';
    t.write("folder" + std::to_string(i % 4) + "/" + std::to_string(i), text);
  }
  const tally expected = serial(t.files());
  EXPECT_EQ(expected.text_files, 40u);
  EXPECT_EQ(expected.words.size(), 8u);
  for (const unsigned workers : {1u, 2u, 5u}) {
    filch::thread_pool pool{{.workers = workers}};
    EXPECT_EQ(check(expected, pool.run([&] { return on_filch(t.files()); })), "")
        << workers << " workers";
  }
}

TEST(words, a_wrong_count_is_noticed) {
  tally one, two;
  one.add("word", 2);
  two.add("word", 1);
  two.add("more", 1);
  EXPECT_EQ(check(one, two),
            "there are 2 words in 0 files, 1 of them different, not 2 words in 0 files, 2 of them "
            "different");
  EXPECT_THROW(files_below("/no such folder"), std::invalid_argument);
}

}  // namespace
