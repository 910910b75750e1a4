#pragma once
// What tests ask of a recording of jobs.
#include <filch/event/recording.hpp>
#include <filch/fork.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace tested_jobs {

/// What the records of one worker say of its jobs, checked on the way.
class jobs_of_worker {
 public:
  void see(const filch::event::entry& each, const filch::event::recording& all) {
    if (each.what.what == filch::event::kind::job_run) ++depth_;
    if (each.what.what != filch::event::kind::job_changed) return;
    const auto depth = std::uint32_t{each.what.other};
    EXPECT_TRUE(depth == depth_ + 1 || depth + 1 == depth_)
        << "from depth " << depth_ << " to " << depth;
    if (depth > depth_) ++begun[all.sites.at(each.what.amount).name];
    if (depth == 0) {
      EXPECT_EQ(each.what.amount, 0u) << "outside of jobs there is no site";
    }
    depth_ = depth;
  }
  std::uint32_t depth() const { return depth_; }

  std::map<std::string, int> begun;

 private:
  std::uint32_t depth_ = 0;
};

/// How many jobs of sites whose name has `part` were run in place. All jobs must have ended.
inline int count_in_place(const filch::event::recording& all, std::string_view part) {
  std::map<std::uint32_t, jobs_of_worker> workers;
  std::map<std::uint32_t, std::int64_t> latest;
  for (const filch::event::entry& each : all.entries) {
    workers[each.worker].see(each, all);
    EXPECT_GE(each.at_ns, std::exchange(latest[each.worker], each.at_ns));
  }
  int sum = 0;
  for (const auto& [worker, jobs] : workers) {
    EXPECT_EQ(jobs.depth(), 0u) << "a job of worker " << worker << " has not ended";
    for (const auto& [name, count] : jobs.begun) sum += name.find(part) != name.npos ? count : 0;
  }
  return sum;
}

inline std::size_t count_of(const filch::event::recording& all, filch::event::kind what) {
  return static_cast<std::size_t>(std::ranges::count(
      all.entries, what, [](const filch::event::entry& e) { return e.what.what; }));
}

inline int tree(int depth) {
  if (depth == 0) return 1;
  const auto [left, right] =
      filch::join([depth] { return tree(depth - 1); }, [depth] { return tree(depth - 1); });
  return left + right;
}

}  // namespace tested_jobs
