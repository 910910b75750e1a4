// The factor of a matrix, tile by tile: a graph of tasks that only the loops of the serial
// algorithm know.
#include <filch/fork.hpp>
#include <filch/graph/spawn_after.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace filch::inline v0_2 {
namespace {

constexpr int tile_width = 16, tiles = 8, width = tile_width * tiles;
using tile = std::array<std::array<double, tile_width>, tile_width>;

tile factor(tile of) {
  for (int j = 0; j < tile_width; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < tile_width; ++i) of[i][j] -= of[i][k] * of[j][k];
    const double root = std::sqrt(of[j][j]);
    for (int i = j; i < tile_width; ++i) of[i][j] /= root;
    for (int i = 0; i < j; ++i) of[i][j] = 0;
  }
  return of;
}
tile solve(tile of, const tile& diagonal) {
  for (int i = 0; i < tile_width; ++i)
    for (int j = 0; j < tile_width; ++j) {
      for (int k = 0; k < j; ++k) of[i][j] -= of[i][k] * diagonal[j][k];
      of[i][j] /= diagonal[j][j];
    }
  return of;
}
tile update(tile of, const tile& left, const tile& right) {
  for (int i = 0; i < tile_width; ++i)
    for (int j = 0; j < tile_width; ++j)
      for (int k = 0; k < tile_width; ++k) of[i][j] -= left[i][k] * right[j][k];
  return of;
}

/// What each tile holds when `make(i, j)` gives the first of it, and `step(f, inputs...)` the next.
template <class T, class Make, class Step>
std::vector<std::vector<T>> factor_all(Make make, Step step) {
  std::vector<std::vector<T>> at(tiles);
  for (int i = 0; i < tiles; ++i)
    for (int j = 0; j <= i; ++j) at[i].push_back(make(i, j));
  for (int k = 0; k < tiles; ++k) {
    at[k][k] = step(factor, at[k][k]);
    for (int i = k + 1; i < tiles; ++i) at[i][k] = step(solve, at[i][k], at[k][k]);
    for (int i = k + 1; i < tiles; ++i)
      for (int j = k + 1; j <= i; ++j) at[i][j] = step(update, at[i][j], at[i][k], at[j][k]);
  }
  return at;
}

tile given(int row, int column) {
  tile made;
  for (int i = 0; i < tile_width; ++i)
    for (int j = 0; j < tile_width; ++j) {
      const int y = row * tile_width + i, x = column * tile_width + j;
      made[i][j] = x == y ? width : 1.0 / (1 + x + y);
    }
  return made;
}

TEST(tiled_cholesky, gives_the_same_factor_as_serially) {
  const auto expected = factor_all<tile>(given, [](auto f, const auto&... of) { return f(of...); });
  for (const unsigned workers : {1u, 2u, 4u}) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 5; ++round) {
      const auto found = factor_all<shared_join_handle<tile>>(
          [&](int i, int j) { return spawn_after(pool, [i, j] { return given(i, j); }); },
          [&](auto f, const auto&... of) { return spawn_after(pool, f, of...); });
      for (int i = 0; i < tiles; ++i)
        for (int j = 0; j <= i; ++j) EXPECT_EQ(found[i][j].get(), expected[i][j]);
    }
  }
}

}  // namespace
}  // namespace filch
