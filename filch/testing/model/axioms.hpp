#pragma once
// The memory model of C++20 as its text states it, for programs of a few operations: the explorer's
// judge (axioms_test.cpp).
//
// memory.hpp is a machine that takes steps; here are no steps. Whole executions are guessed (which
// store each read returns, and the modification order of each variable) and kept when they break no
// rule of the text. The two share no code and no idea, so that what both say is probably so.
#include <atomic>
#include <iosfwd>
#include <set>
#include <vector>

namespace filch::testing {

/// One operation of a litmus program. Variables begin as 0.
struct litmus_operation {
  enum class kind : unsigned char { load, store, add, exchange, compare_exchange, fence };
  kind what;
  unsigned variable = 0;  ///< 0 or 1.
  /// A failed compare-exchange is relaxed; every fence is seq_cst.
  std::memory_order order = std::memory_order_seq_cst;
  int value = 0;
  int expected = 0;
};

/// What each thread does, in order.
using litmus_program = std::vector<std::vector<litmus_operation>>;
std::ostream& operator<<(std::ostream& to, const litmus_program& program);

/// What each operation read, thread by thread, `nothing_read` for those that read nothing; then
/// what each variable holds in the end.
using litmus_outcome = std::vector<int>;
inline constexpr int nothing_read = -1;

/// Every outcome of `program` that C++20 allows and that needs no load buffering.
std::set<litmus_outcome> outcomes_by_axioms(const litmus_program& program);

}  // namespace filch::testing
