#pragma once
// One of the schedulers of compare/ as a peer: which one, the build says by BENCH_RIVAL, its name
// there. Its threads wait between the rounds, so that waking them is part of each. No job waits for
// a join, and each node is a job.
#include <compare/computation.hpp>
#include <compare/rivals.hpp>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace bench {

/// Makes the scheduler of that name. A name that is none ends the program.
inline std::unique_ptr<filch::compare::scheduler> make_rival(unsigned workers) {
  for (const filch::compare::contender& each : filch::compare::contenders()) {
    if (each.name == std::string_view{BENCH_RIVAL}) return each.make(workers);
  }
  std::abort();
}

}  // namespace bench
