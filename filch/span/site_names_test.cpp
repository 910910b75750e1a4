#include <filch/filch.hpp>
#include <filch/span/spent_time_test.hpp>
#include <gtest/gtest.h>

#include <string>

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

namespace filch::inline v0_2::span {
namespace {

/// The name of the site in `f` that forks; there must be one such site.
template <class F>
std::string name_in(F&& f) {
  std::string name;
  for (const analysis::site& each : analyze(f, on_spent_time()).sites) {
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
  const analysis::result found = analyze([] {}, on_spent_time());
  ASSERT_EQ(found.sites.size(), 1u);
  EXPECT_EQ(found.sites[0].where.name, "outside every fork");
}

}  // namespace
}  // namespace filch::span
