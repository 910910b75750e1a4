#pragma once
// How the programs `algorithms_*.cpp` hold their results against what their comments promise.
#include <cstdio>

inline int wrong_claims = 0;

/// Prints a claim that is wrong. `main` returns whether there was one.
inline void check(const char* claim, bool is_right) {
  if (is_right) return;
  ++wrong_claims;
  std::printf("wrong: %s\n", claim);
}
