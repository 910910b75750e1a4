#pragma once
// The verdicts of recordings made by hand.
#include <filch/span/faulty_runs_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

namespace filch::inline v0_2::span {

inline void PrintTo(const verdict& v, std::ostream* out) {
  for (const finding& f : v.findings)
    *out << name_of(f.what) << " " << f.cost << ": " << f.sentence << "\n";
}

namespace runs {

inline verdict verdict_of(const tried_run& run) {
  EXPECT_EQ(find_fault(run.recorded), "") << run.what;
  const observation seen = observe(run.recorded, 0);
  if (!run.on_one_worker) return judge(run.recorded, seen);
  const observation alone = observe(*run.on_one_worker, 0);
  return judge(run.recorded, seen,
               {&alone, run.on_one_worker->analyzed ? &*run.on_one_worker->analyzed : nullptr});
}

inline bool finds(const verdict& v, fault what) {
  return std::ranges::any_of(v.findings, [&](const finding& f) { return f.what == what; });
}

}  // namespace runs
}  // namespace filch::span
