#include <filch/span/add_analyses.hpp>

#include <gtest/gtest.h>

#include <initializer_list>

namespace filch::inline v0_2::span {
namespace {

struct part {
  std::uint64_t site;
  double work_ns, span_ns;
};

analysis::result run_of(std::initializer_list<part> parts, double burden_ns) {
  analysis::result made;
  for (const part& each : parts) {
    made.work_ns += each.work_ns;
    made.span_ns += each.span_ns;
    analysis::site& site = made.sites.emplace_back();
    site.where.address = each.site;
    site.forks = 1;
    site.work_ns = each.work_ns;
    site.span_ns = each.span_ns;
    site.longest_job_ns = each.work_ns;
    site.jobs.add(each.work_ns);
  }
  made.forks = parts.size();
  made.burdened_span_ns = made.span_ns + burden_ns;
  return made;
}

TEST(add_analyses, behind_each_other_spans_add_up_site_by_site) {
  analysis::result all = run_of({{1, 10, 5}, {2, 20, 6}}, 1);
  add_behind(all, run_of({{2, 200, 60}, {3, 300, 70}}, 2));
  EXPECT_EQ(all.work_ns, 530);
  EXPECT_EQ(all.span_ns, 141);
  EXPECT_EQ(all.burdened_span_ns, 144);
  EXPECT_EQ(all.forks, 4u);
  ASSERT_EQ(all.sites.size(), 3u);
  EXPECT_EQ(all.sites[1].work_ns, 220);
  EXPECT_EQ(all.sites[1].span_ns, 66);
  EXPECT_EQ(all.sites[1].forks, 2u);
  EXPECT_EQ(all.sites[1].longest_job_ns, 200);
  EXPECT_EQ(all.sites[2].span_ns, 70);
}

TEST(add_analyses, beside_each_other_the_longest_span_is_that_of_all_with_its_sites) {
  analysis::result all = run_of({{1, 10, 50}, {2, 20, 6}}, 100);
  add_beside(all, run_of({{2, 200, 60}, {3, 300, 70}}, 2));
  EXPECT_EQ(all.work_ns, 530);
  EXPECT_EQ(all.span_ns, 130);
  EXPECT_EQ(all.burdened_span_ns, 156) << "the first one's, whose steals cost more";
  EXPECT_EQ(all.sites[0].span_ns, 0);
  EXPECT_EQ(all.sites[1].span_ns, 60);
  EXPECT_EQ(all.sites[2].span_ns, 70);
  add_beside(all, run_of({{1, 1, 1}}, 0));
  EXPECT_EQ(all.span_ns, 130);
  EXPECT_EQ(all.sites[0].span_ns, 0);
  EXPECT_EQ(all.sites[0].work_ns, 11);
}

TEST(add_analyses, durations_are_counted_together) {
  analysis::result all = run_of({{1, 100, 0}}, 0);
  add_behind(all, run_of({{1, 100, 0}}, 0));
  add_beside(all, run_of({{1, 7, 0}}, 0));
  duration_histogram expected;
  for (const double ns : {100, 100, 7}) expected.add(ns);
  EXPECT_EQ(all.sites[0].jobs, expected);
}

}  // namespace
}  // namespace filch::span
