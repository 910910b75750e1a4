#include <filch/filch.hpp>
#include <filch/span/site_names.hpp>
#include <filch/span/spent_time_test.hpp>
#include <filch/span/symbol_table.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace user {

void recursion(int depth) {
  if (depth != 0) filch::join([=] { recursion(depth - 1); }, [=] { recursion(depth - 1); });
}
void loop() {
  filch::parallel_for(filch::with(filch::grain_items{1}), 0, 4, [](int) {});
}
void group() {
  filch::task_group jobs;
  jobs.run([] {});
  jobs.wait();
}

}  // namespace user

namespace filch::span {
namespace {

/// The name of the site in `f` that forks; there must be one such site.
template <class F>
std::string name_in(F&& f) {
  std::string name;
  for (const analysed_site& each : analyze(f, on_spent_time()).sites) {
    if (each.forks != 0) name += each.where.name;
  }
  return name;
}

TEST(site_names, call_a_site_after_the_function_it_is_in) {
  EXPECT_EQ(name_in([] { user::recursion(3); }), "user::recursion");
  EXPECT_EQ(name_in(user::loop), "loop in user::loop");
  EXPECT_EQ(name_in(user::group), "user::group");
}

TEST(site_names, the_code_outside_every_fork_has_a_name_too) {
  const analysis found = analyze([] {}, on_spent_time());
  ASSERT_EQ(found.sites.size(), 1u);
  EXPECT_EQ(found.sites[0].where.name, "outside every fork");
}

// As gcc and clang demangle them.
TEST(site_names, short_names_are_the_users) {
  EXPECT_EQ(short_name(
                "filch::fork::forked<bench::fib::on_filch(unsigned int)::{lambda()#2}>::job()::{lambda(void*)#1}::_FUN(void*)"),
            "bench::fib::on_filch");
  EXPECT_EQ(short_name("filch::fork::forked<bench::fib::on_filch(unsigned int)::$_1>::job()::'lambda'(void*)::__invoke(void*)"),
            "bench::fib::on_filch");
  EXPECT_EQ(short_name("filch::fork::forked<void (&)()>::job()::{lambda(void*)#1}::_FUN(void*)"),
            "filch::fork::forked<void (&)()>::job()::{lambda(void*)#1}::_FUN(void*)")
      << "a plain function says nothing of who forked it";
  EXPECT_EQ(short_name("filch::fork::forked<app::visitor>::job()::{lambda(void*)#1}::_FUN(void*)"), "app::visitor");
  EXPECT_EQ(short_name("main"), "main");
  EXPECT_EQ(short_name(""), "");
}

TEST(site_names, filchs_algorithms_stand_in_where_the_user_is_not_named) {
  EXPECT_EQ(
      short_name("filch::fork::forked<filch::algo::quicksort<long*, std::less<void> >::sort(long*)::{lambda()#2}>::job()::"
                 "{lambda(void*)#1}::_FUN(void*)"),
      "filch::algo::quicksort");
}

TEST(site_names, of_an_address_in_no_module_nothing_is_said) {
  event::call_site nowhere;
  nowhere.address = 16;
  name_site(nowhere);
  EXPECT_EQ(nowhere.name, "");
  EXPECT_EQ(nowhere.module, "");
}

TEST(symbol_table, files_of_any_content_are_safe_to_ask) {
  const std::string path = (std::filesystem::temp_directory_path() / "filch_symbol_table_test").string();
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::vector<char> program(1 << 20);
  self.read(program.data(), static_cast<std::streamsize>(program.size()));
  program.resize(static_cast<std::size_t>(self.gcount()));
  for (std::size_t length : {std::size_t{0}, std::size_t{3}, std::size_t{63}, std::size_t{64}, program.size()}) {
    for (std::size_t broken :
         {std::size_t{0}, std::size_t{16}, std::size_t{32}, std::size_t{40}, std::size_t{54}, std::size_t{60}}) {
      std::vector<char> bytes(program.begin(), program.begin() + static_cast<std::ptrdiff_t>(std::min(length, program.size())));
      for (std::size_t i = broken; i < std::min(broken + 8, bytes.size()); ++i) bytes[i] = static_cast<char>(0xee);
      std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      EXPECT_EQ(symbol_at(path, 0x1000), "") << "cut to " << length << ", broken at " << broken;
    }
  }
  std::remove(path.c_str());
  EXPECT_EQ(symbol_at("/no such file", 0), "");
}

}  // namespace
}  // namespace filch::span
