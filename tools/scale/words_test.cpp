#include <filch/base/scratch_folder.hpp>
#include <gtest/gtest.h>
#include <tools/scale/words.hpp>

namespace {

using namespace filch::scaling;

TEST(words, are_the_expression_before_the_access) {
  EXPECT_EQ(word_in("  return range_.load(acquire<edge::take>);", "load"), "range_");
  EXPECT_EQ(word_in("    slots_[index & mask].value.store(1, relaxed);", "store"),
            "slots_[index & mask].value");
  EXPECT_EQ(word_in("if (!owner->word_.compare_exchange(seen, next))", "compare_exchange"),
            "owner->word_");
  EXPECT_EQ(word_in("while (flag().exchange(true)) {", "exchange"), "flag()");
  EXPECT_EQ(word_in("return *this->count.fetch_add(1) + other.fetch_add(2);", "fetch_add"),
            "this->count");
  EXPECT_EQ(word_in("pool::count->load()", "load"), "pool::count");
}

TEST(words, end_where_the_expression_begins) {
  EXPECT_EQ(word_in("x = a + b.load()", "load"), "b");
  EXPECT_EQ(word_in("call(first.load(), second)", "load"), "first");
  EXPECT_EQ(word_in("!done.load()", "load"), "done");
}

TEST(words, of_weak_and_strong_exchanges_are_found_too) {
  EXPECT_EQ(word_in("top_.compare_exchange_strong(t, t + 1)", "compare_exchange"), "top_");
  EXPECT_EQ(word_in("top_.compare_exchange_weak(t, t + 1)", "compare_exchange"), "top_");
}

TEST(words, of_other_lines_are_empty) {
  EXPECT_EQ(word_in("", "load"), "");
  EXPECT_EQ(word_in("load();", "load"), "");
  EXPECT_EQ(word_in(".load();", "load"), "");
  EXPECT_EQ(word_in("range_.store(1)", "load"), "");
  EXPECT_EQ(word_in(").load()", "load"), "") << "a bracket without its partner";
}

TEST(words, are_looked_for_in_the_lines_of_a_call_too) {
  const filch::base::scratch_folder folder;
  folder.write("filch/queue/some.hpp", "one\n  word_.load(\n      acquire);\nfour\n");
  sources from{folder.string()};
  for (const unsigned line : {1u, 2u, 3u})
    EXPECT_EQ(from.word_at({"load", "f", "./filch/queue/some.hpp", line}), "word_") << line;
  EXPECT_EQ(from.word_at({"load", "f", "./filch/queue/some.hpp", 4}), "");
  EXPECT_EQ(from.word_at({"load", "f", "./filch/queue/some.hpp", 0}), "") << "no line has number 0";
  EXPECT_EQ(from.word_at({"load", "f", "filch/queue/other.hpp", 2}), "") << "no such file";
}

TEST(words, have_paths_below_the_root_of_the_sources) {
  EXPECT_EQ(path_in_sources("./filch/queue/deque.hpp"), "filch/queue/deque.hpp");
  EXPECT_EQ(path_in_sources("/home/me/filch/filch/queue/deque.hpp"), "filch/queue/deque.hpp");
  EXPECT_EQ(path_in_sources("/usr/include/c++/12/atomic"), "/usr/include/c++/12/atomic");
}

}  // namespace
