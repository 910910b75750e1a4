#pragma once
// The memory model of C++20 as its text states it, for programs of a few operations. It judges the
// explorer (axioms_test.cpp).
//
// memory.hpp is a machine that takes steps. This file guesses whole executions (which store each
// read returns, and the modification order of each variable), and keeps those that break no rule of
// the text. The two share no code and no idea, so a result of both is probably right.
#include <atomic>
#include <iosfwd>
#include <set>
#include <vector>

namespace filch::inline v0_2::testing {

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

/// The operations of each thread, in order.
using litmus_program = std::vector<std::vector<litmus_operation>>;
std::ostream& operator<<(std::ostream& to, const litmus_program& program);

/// The value that each operation read, thread by thread, or `nothing_read`; then the final value of
/// each variable.
using litmus_outcome = std::vector<int>;
inline constexpr int nothing_read = -1;

/// Every outcome of `program` that C++20 allows and that needs no load buffering.
std::set<litmus_outcome> outcomes_by_axioms(const litmus_program& program);

}  // namespace filch::testing
