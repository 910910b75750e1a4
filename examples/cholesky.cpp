// A symmetric matrix is split into a triangle and its transpose (Cholesky), tile by tile. Each step
// writes one tile, and waits for the steps that wrote what it reads. Work O(n^3), span O(n^2) for
// tiles of one size.
#include <filch/graph.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

namespace {

constexpr int side = 32, tiles = 12, n = side * tiles;

struct tile {
  double at[side][side];
};

// a becomes l, where l * transpose(l) = a
void split(tile& a) {
  for (int k = 0; k < side; ++k) {
    a.at[k][k] = std::sqrt(a.at[k][k]);
    for (int i = k + 1; i < side; ++i) a.at[i][k] /= a.at[k][k];
    for (int i = k + 1; i < side; ++i)
      for (int j = k + 1; j <= i; ++j) a.at[i][j] -= a.at[i][k] * a.at[j][k];
  }
}

// x becomes y, where y * transpose(l) = x
void solve(tile& x, const tile& l) {
  for (auto& row : x.at)
    for (int k = 0; k < side; ++k) {
      for (int j = 0; j < k; ++j) row[k] -= row[j] * l.at[k][j];
      row[k] /= l.at[k][k];
    }
}

// Takes a * transpose(b) from c
void update(tile& c, const tile& a, const tile& b) {
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) c.at[i][j] -= a.at[i][k] * b.at[j][k];
}

// [cholesky]
using matrix = std::vector<tile>;  // its lower triangle, row by row

tile& at(matrix& of, int i, int j) { return of[static_cast<std::size_t>(i * (i + 1) / 2 + j)]; }

void add_steps(filch::task_graph& graph, matrix& a) {
  std::map<tile*, filch::graph_node<>> writers;  // the last one of each tile
  const auto add = [&](auto step, tile& written, auto&... read) {
    const auto node = graph.emplace([=, &written, &read...] { step(written, read...); });
    for (tile* each : {&written, &read...})
      if (const auto found = writers.find(each); found != writers.end())
        node.succeed(found->second);
    writers.insert_or_assign(&written, node);
  };
  for (int k = 0; k < tiles; ++k) {
    add(split, at(a, k, k));
    for (int i = k + 1; i < tiles; ++i) add(solve, at(a, i, k), at(a, k, k));
    for (int i = k + 1; i < tiles; ++i)
      for (int j = k + 1; j <= i; ++j) add(update, at(a, i, j), at(a, i, k), at(a, j, k));
  }
}
// [cholesky]

double input(int i, int j) { return i == j ? n : 1.0 / (1 + std::abs(i - j)); }

void fill(matrix& a) {
  for (int i = 0; i < tiles; ++i)
    for (int j = 0; j <= i; ++j)
      for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
          at(a, i, j).at[row][column] = input(i * side + row, j * side + column);
}

double element(matrix& a, int i, int j) {
  return j <= i ? at(a, i / side, j / side).at[i % side][j % side] : 0;
}

// The largest difference between the product of the triangles and the input
double largest_error(matrix& a) {
  double largest = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double product = 0;
      for (int k = 0; k <= j; ++k) product += element(a, i, k) * element(a, j, k);
      largest = std::max(largest, std::abs(product - input(i, j)));
    }
  return largest;
}

}  // namespace

int main() {
  matrix a(tiles * (tiles + 1) / 2);
  filch::task_graph graph;
  add_steps(graph, a);
  bool is_right = true;
  for (int run = 0; run != 3; ++run) {  // one graph for many matrices
    fill(a);
    graph.run();
    is_right = is_right && largest_error(a) < 1e-9 * n;
  }
  const filch::graph_report last = graph.last_run();
  std::printf("%d x %d, %zu steps, work %.1f ms, critical path %.1f ms: %s\n", n, n, graph.size(),
              static_cast<double>(last.work.count()) / 1e6,
              static_cast<double>(last.span.count()) / 1e6, is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}
