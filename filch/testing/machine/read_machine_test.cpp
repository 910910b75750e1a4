#include <filch/testing/machine/machine_keys.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace filch::inline v0_2::testing {
namespace {

/// A file with all keys; every number is 7.
std::vector<std::string> lines() {
  std::vector<std::string> all;
  for (const machine_key& key : machine_keys) {
    const bool is_text = std::holds_alternative<std::string machine::*>(key.member);
    all.push_back(std::string{key.name} + (is_text ? " = \"a machine\"" : " = 7"));
  }
  return all;
}

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text += each + '\n';
  return text;
}

machine read(const std::string& text) {
  std::istringstream from{text};
  return read_machine(from, "some.toml");
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "accepted";
}

/// As `refusal`, with `line` in place of the one that has its key.
std::string refusal_with(const std::string& line) {
  std::vector<std::string> all = lines();
  const std::string key = line.substr(0, line.find(' '));
  *std::ranges::find_if(all, [&](const std::string& each) { return each.starts_with(key + " "); }) =
      line;
  return refusal(joined(all));
}

TEST(read_machine, every_key_sets_its_member) {
  std::vector<std::string> all = lines();
  for (std::size_t i = 2; i < all.size(); ++i)
    all[i] = std::string{machine_keys[i].name} + " = " + std::to_string(i);
  const machine made = read(joined(all));
  EXPECT_EQ(made.name, "a machine");
  for (std::size_t i = 2; i < all.size(); ++i) {
    const double value = std::visit(
        [&](auto member) {
          if constexpr (std::is_same_v<decltype(member), std::string machine::*>)
            return 0.0;
          else
            return static_cast<double>(made.*member);
        },
        machine_keys[i].member);
    EXPECT_EQ(value, static_cast<double>(i)) << machine_keys[i].name;
  }
  EXPECT_EQ(made.nodes, 2U);
  EXPECT_EQ(made.start_thread, 24.0);
}

TEST(read_machine, no_member_has_two_keys_and_none_has_none) {
  std::set<std::string_view> names;
  for (const machine_key& key : machine_keys) names.insert(key.name);
  EXPECT_EQ(names.size(), machine_keys.size());
  // Two strings, three counts and the prices fill the structure
  constexpr std::size_t prices = machine_keys.size() - 5;
  EXPECT_EQ(sizeof(machine),
            2 * sizeof(std::string) + 2 * sizeof(double) + prices * sizeof(double));
}

TEST(read_machine, comments_and_empty_lines_say_nothing) {
  std::vector<std::string> all = lines();
  all[5] = "  access = 0.25   # measured = here, \"so\"  \r";
  all[0] = "name = \"x # y\" # a comment";
  all.insert(all.begin(), {"# a comment", "", "   "});
  const machine made = read(joined(all));
  EXPECT_EQ(made.access, 0.25);
  EXPECT_EQ(made.name, "x # y");
}

TEST(read_machine, an_unknown_key_is_named_with_its_line) {
  std::vector<std::string> all = lines();
  all.insert(all.begin() + 1, "acess = 1");
  EXPECT_EQ(refusal(joined(all)), "some.toml:2: unknown key `acess`");
}

TEST(read_machine, a_key_given_twice_is_refused) {
  std::vector<std::string> all = lines();
  all.push_back("pause = 7");
  EXPECT_EQ(refusal(joined(all)), "some.toml:26: `pause` is given twice");
}

TEST(read_machine, each_missing_key_is_named) {
  for (std::size_t i = 0; i < machine_keys.size(); ++i) {
    std::vector<std::string> all = lines();
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(refusal(joined(all)),
              "some.toml:24: the file ends without `" + std::string{machine_keys[i].name} + "`");
  }
  EXPECT_EQ(refusal(""), "some.toml:0: the file ends without `name`");
}

TEST(read_machine, only_positive_numbers_are_prices) {
  for (const char* const value :
       {"-1", "+1", "nan", "inf", "1e3", ".5", "5.", "1.2.3", "seven", "\"7\"", "1_000", ""}) {
    EXPECT_EQ(refusal_with(std::string{"pause = "} + value),
              "some.toml:14: `pause` is no positive number: `" + std::string{value} + "`");
  }
  EXPECT_EQ(refusal_with("pause = 0"), "some.toml:14: `pause` is not from 0.001 to 1e+12: `0`");
  EXPECT_EQ(refusal_with("pause = 2000000000000"),
            "some.toml:14: `pause` is not from 0.001 to 1e+12: `2000000000000`");
  EXPECT_EQ(refusal_with("pause = 0.001"), "accepted");
}

TEST(read_machine, counts_are_whole) {
  EXPECT_EQ(refusal_with("nodes = 1.5"), "some.toml:3: `nodes` is not from 1 to 256: `1.5`");
  EXPECT_EQ(refusal_with("nodes = 0"), "some.toml:3: `nodes` is not from 1 to 256: `0`");
  EXPECT_EQ(refusal_with("nodes = 99999999999"),
            "some.toml:3: `nodes` is not from 1 to 256: `99999999999`");
}

TEST(read_machine, a_string_ends_where_its_second_quote_stands) {
  EXPECT_EQ(refusal_with("note = seven"), "some.toml:2: `note` is a string: \"...\"");
  EXPECT_EQ(refusal_with("note = \"a"), "some.toml:2: a string without its second quote");
  EXPECT_EQ(refusal_with("note = \"a\\tb\""),
            "some.toml:2: `note` has a backslash, and nothing can be escaped");
  EXPECT_EQ(refusal_with("note = \"a\" b"), "some.toml:2: behind the value stands `b`");
  EXPECT_EQ(refusal_with("pause = 7 ns"), "some.toml:14: behind the value stands `ns`");
}

TEST(read_machine, nothing_else_of_toml_is_taken) {
  EXPECT_EQ(refusal("[table]"), "some.toml:1: no `key = value`: `[table]`");
  EXPECT_EQ(refusal("a.b = 1"), "some.toml:1: unknown key `a.b`");
}

TEST(read_machine_file, a_file_that_cannot_be_read_is_named) {
  try {
    read_machine_file("/no/such.toml");
    FAIL() << "reads what does not exist";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
    EXPECT_NE(std::string{error.what()}.find("/no/such.toml"), std::string::npos);
  }
}

TEST(read_machine_file, each_installed_machine_can_be_simulated) {
  unsigned count = 0;
  for (const auto& each : std::filesystem::directory_iterator{FILCH_MACHINES}) {
    const machine made = read_machine_file(each.path());
    EXPECT_EQ(made.name, each.path().stem()) << each.path();
    EXPECT_FALSE(made.note.empty()) << each.path();
    EXPECT_LE(made.cores(), 256U) << each.path();
    EXPECT_LE(made.same_cache, made.same_node) << each.path();
    EXPECT_LE(made.same_node, made.other_node) << each.path();
    ++count;
  }
  EXPECT_GE(count, 5U);
}

TEST(read_machine_file, every_figure_has_its_source) {
  for (const auto& each : std::filesystem::directory_iterator{FILCH_MACHINES}) {
    std::ifstream file{each.path()};
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line.starts_with("#") || line.find(" = \"") != line.npos) continue;
      EXPECT_NE(line.find("  # "), line.npos) << each.path() << ": " << line;
    }
  }
}

}  // namespace
}  // namespace filch::testing
