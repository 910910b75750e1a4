// The names of sites. The long names are as gcc and clang demangle them.
#include <filch/trace/site_names.hpp>

#include <gtest/gtest.h>

namespace filch::inline v0_2::trace {
namespace {

/// The name of the function that runs a job of the type `closure`.
std::string job_of(const std::string& closure) {
  return "filch::fork::forked<" + closure + ">::job()::{lambda(void*)#1}::_FUN(void*)";
}

TEST(site_names, are_the_users) {
  EXPECT_EQ(short_name(job_of("bench::fib::on_filch(unsigned int)::{lambda()#2}")),
            "bench::fib::on_filch");
  EXPECT_EQ(short_name("filch::fork::forked<bench::fib::on_filch(unsigned "
                       "int)::$_1>::job()::'lambda'(void*)::__invoke(void*)"),
            "bench::fib::on_filch");
  EXPECT_EQ(short_name(job_of("app::visitor")), "app::visitor");
  EXPECT_EQ(short_name("app::work(app::item const&)"), "app::work");
  EXPECT_EQ(short_name("main"), "main");
  EXPECT_EQ(short_name(""), "");
}

TEST(site_names, a_plain_function_says_nothing_of_its_caller) {
  EXPECT_EQ(short_name(job_of("void (&)()")), job_of("void (&)()"));
}

TEST(site_names, filchs_algorithms_stand_in_where_the_user_is_not_named) {
  EXPECT_EQ(short_name(job_of(
                "filch::algo::quicksort<long*, std::less<void> >::sort(long*)::{lambda()#2}")),
            "filch::algo::quicksort");
  EXPECT_EQ(short_name(job_of("filch::algo::split_loop<int, filch::algo::loop_over<int, "
                              "app::scale(int)::{lambda(int)#1}>("
                              "int)::{lambda()#1}>::halve(int)::{lambda()#2}")),
            "loop in app::scale");
  EXPECT_EQ(short_name("filch::algo::loop_leaf<int, filch::algo::loop_chunk<int, "
                       "app::scale(int)::{lambda(int)#1}> "
                       "const>::run_stolen(void*)"),
            "loop in app::scale");
  EXPECT_EQ(short_name("filch::algo::fold_leaf<long, int, filch::algo::mapped_fold<long, int, "
                       "app::sum(int)::{lambda(int)#1}> "
                       "const, std::plus<void> >::run_stolen(void*)"),
            "loop in app::sum");
}

TEST(site_names, leave_out_that_a_namespace_has_no_name) {
  EXPECT_EQ(short_name("(anonymous namespace)::f(std::string const&)"), "f");
  EXPECT_EQ(short_name(job_of("(anonymous namespace)::fib(unsigned int)::{lambda()#1}")), "fib");
  EXPECT_EQ(
      short_name(job_of("app::(anonymous namespace)::walk((anonymous namespace)::tree*)::$_0")),
      "app::walk");
  EXPECT_EQ(short_name(job_of("(anonymous namespace)::visitor")), "visitor");
}

TEST(site_names, of_a_lambda_are_those_of_the_function_around_it) {
  EXPECT_EQ(short_name(job_of("main::{lambda()#1}")), "main") << "main's arguments are not told";
  EXPECT_EQ(short_name(job_of("main::$_0")), "main");
  EXPECT_EQ(short_name(job_of(
                "app::run()::{lambda(app::item)#1}::operator()(app::item) const::{lambda()#2}&")),
            "app::run");
  EXPECT_EQ(short_name(job_of("app::run()::$_0::operator()(int) const::'lambda'()")), "app::run");
}

TEST(site_names, leave_out_the_arguments_of_templates) {
  EXPECT_EQ(short_name(job_of("int app::sum<int, std::less<int> >(int)::{lambda()#1}")),
            "app::sum");
  EXPECT_EQ(short_name(job_of("app::tree<int, app::less>::walk(app::node*)::{lambda()#1}")),
            "app::tree::walk");
  EXPECT_EQ(short_name(job_of("decltype(auto) app::apply<app::item>(app::item&&)::{lambda()#1}")),
            "app::apply");
  EXPECT_EQ(short_name(job_of("app::visitor<app::tree<int> >")), "app::visitor");
}

TEST(site_names, of_operators_keep_their_signs) {
  EXPECT_EQ(short_name(job_of("app::visitor::operator()(int) const::{lambda()#1}")),
            "app::visitor::operator()");
  EXPECT_EQ(short_name(job_of("app::visitor::operator()<int>(int) const::{lambda()#1}")),
            "app::visitor::operator()");
  EXPECT_EQ(short_name("app::operator<<(std::ostream&, app::item)"), "app::operator<<");
  EXPECT_EQ(short_name("bool app::operator< <int>(app::box<int>, app::box<int>)"),
            "app::operator<");
  EXPECT_EQ(short_name("app::operator<=>(app::item, app::item)"), "app::operator<=>");
  EXPECT_EQ(short_name("app::item& app::box::operator-><app::item>()"), "app::box::operator->");
  EXPECT_EQ(short_name("app::box<int>::operator bool() const"), "app::box::operator bool");
  EXPECT_EQ(short_name("app::box::operator new(unsigned long)"), "app::box::operator new");
}

TEST(site_names, of_a_text_of_any_kind_can_be_asked) {
  const std::string text =
      job_of("int app::tree<int>::operator<< <app::item>((anonymous namespace)::x)::{lambda()#1}");
  for (std::size_t begin = 0; begin <= text.size(); ++begin) {
    for (std::size_t length = 0; length <= text.size() - begin; ++length)
      EXPECT_LE(short_name(text.substr(begin, length)).size(), length);
  }
}

}  // namespace
}  // namespace filch::trace
