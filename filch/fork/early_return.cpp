// The input of early_return_test.sh: a function that returns before it forks, as every recursion
// does.
#include <filch/fork/join.hpp>

extern "C" long early_return(unsigned n) {
  if (n < 2) return n;
  const auto [left, right] =
      filch::join([n] { return early_return(n - 1); }, [n] { return early_return(n - 2); });
  return left + right;
}
