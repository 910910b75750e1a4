#include <gtest/gtest.h>
#include <tools/cli/progress.hpp>
#include <tools/cli/report.hpp>

#include <cstdlib>
#include <utility>

namespace {

using namespace filch::cli;

std::string printed(const table& t) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* memory = ::open_memstream(&text, &size);
  t.print(memory);
  std::fclose(memory);
  const std::string result{text, size};
  std::free(text);
  return result;
}

TEST(report, columns_are_what_the_environment_says_if_that_is_a_number) {
  ::setenv("COLUMNS", "61", 1);
  EXPECT_EQ(columns(stdin), 61u);
  for (const char* nonsense : {"", "0", "-5", "wide", "61x", "99999999999"}) {
    ::setenv("COLUMNS", nonsense, 1);
    std::FILE* no_terminal = std::fopen("/dev/null", "r");
    EXPECT_EQ(columns(no_terminal), 80u) << nonsense;
    std::fclose(no_terminal);
  }
  ::unsetenv("COLUMNS");
}

TEST(report, a_page_has_room_for_figures_and_no_lines_too_long_to_read) {
  for (const auto& [told, made] : {std::pair{"1", 40u}, {"39", 40u}, {"80", 80u}, {"500", 100u}}) {
    ::setenv("COLUMNS", told, 1);
    EXPECT_EQ(page_columns(stdin), made);
  }
  ::unsetenv("COLUMNS");
}

TEST(report, counts_have_a_comma_every_three_digits) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(4130071), "4,130,071");
  EXPECT_EQ(count_text(18446744073709551615u), "18,446,744,073,709,551,615");
  EXPECT_EQ(count_text(1, "files"), "1 file");
  EXPECT_EQ(count_text(2, "files"), "2 files");
}

TEST(report, numbers_keep_three_digits_and_take_the_unit_that_fits) {
  EXPECT_EQ(seconds_text(1.2345), "1.23 s");
  EXPECT_EQ(seconds_text(0.99999), "1.00 s");
  EXPECT_EQ(seconds_text(0.0123), "12.3 ms");
  EXPECT_EQ(seconds_text(123e-6), "123 us");
  EXPECT_EQ(seconds_text(0), "0.00 ns");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1536), "1.50 KiB");
  EXPECT_EQ(bytes_text(1048575), "1.00 MiB");
  EXPECT_EQ(rate_text(12.5, "files"), "12.5 files/s");
  EXPECT_EQ(rate_text(15.2e6, "nodes"), "15.2 M nodes/s");
}

TEST(report, file_names_cannot_send_commands_to_the_terminal) {
  EXPECT_EQ(name_text("a\033[2Jb\n\177é"), "a?[2Jb??é");
  EXPECT_EQ(name_text("a\u009b2Jb\u0080\u00a0\xc2"), "a?2Jb?\u00a0\xc2")
      << "those of two bytes, too";
}

TEST(report, columns_are_aligned_and_lines_end_without_blanks) {
  table t{{{"name"}, {"count", align::right}, {"remark"}}};
  t.add_row({"é", "7", ""});
  t.add_row({"longer", "1,000", "last"});
  t.add_row({"", "", "alone"});
  EXPECT_EQ(printed(t),
            "  name    count  remark\n"
            "  é           7\n"
            "  longer  1,000  last\n"
            "                 alone\n");
}

TEST(report, text_is_broken_at_blanks) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("a longerthanthat b", 6),
            (std::vector<std::string>{"a", "longer", "thanth", "at b"}));
  EXPECT_EQ(wrapped("ééé exactly", 2),
            (std::vector<std::string>{"éé", "é", "ex", "ac", "tl", "y"}));
  EXPECT_EQ(wrapped("ab", 0), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(wrapped("", 10).empty());
}

TEST(report, a_table_without_headings_prints_rows_only) {
  table t{{{.heading = ""}, {.heading = ""}}};
  t.add_row({"time", "1 s"});
  EXPECT_EQ(printed(t), "  time  1 s\n");
}

TEST(progress, the_line_fits_the_terminal) {
  EXPECT_EQ(progress_bar::line("comparing", 50, 100, 60),
            "comparing        [==========>           ]  50 %   50 of 100");
  EXPECT_EQ(progress_bar::line("comparing", 100, 100, 60),
            "comparing        [======================] 100 %  100 of 100");
  EXPECT_EQ(progress_bar::line("listing folders", 1234, 0, 60), "listing folders  1,234");
  for (unsigned columns = 20; columns < 200; ++columns) {
    EXPECT_LE(progress_bar::line("comparing", 1234567, 7654321, columns).size(), columns);
    EXPECT_LE(progress_bar::line("listing folders", 1234567, 0, columns).size(), columns);
  }
}

TEST(progress, a_narrow_terminal_loses_the_bar_and_then_the_end_of_the_line) {
  EXPECT_EQ(progress_bar::line("comparing", 50, 100, 40), "comparing         50 %   50 of 100");
  EXPECT_EQ(progress_bar::line("comparing", 50, 100, 20), "comparing         50");
  EXPECT_EQ(progress_bar::line("listing folders", 1234, 0, 20), "listing folders  1,2");
}

TEST(progress, a_stream_that_is_no_terminal_stays_empty) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* memory = ::open_memstream(&text, &size);
  {
    progress_bar bar{memory};
    bar.begin("comparing", 2);
    bar.step();
  }
  std::fclose(memory);
  EXPECT_EQ(size, 0u);
  std::free(text);
}

}  // namespace
