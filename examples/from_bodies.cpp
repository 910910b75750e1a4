// Loops over boxes, bodies that gather, groups and a value for each worker: four programs beside
// those of oneTBB that need a range or a class there. docs/guide/from/onetbb.md shows both.
#include "bodies.hpp"

#include <filch/algo.hpp>
#include <filch/fork.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

// [box]
// The body gets a point, one index for each side.
matrix transposed(const matrix& from, std::size_t rows, std::size_t columns) {
  matrix to(from.size());
  const filch::blocked_range all{filch::index_range(0, rows), filch::index_range(0, columns)};
  filch::parallel_for(all, [&](std::size_t row, std::size_t column) {
    to[column * rows + row] = from[row * columns + column];
  });
  return to;
}

// Or it gets a block, one `index_range` for each side.
using indices = filch::index_range<std::size_t>;

matrix transposed_by_blocks(const matrix& from, std::size_t rows, std::size_t columns) {
  matrix to(from.size());
  const filch::blocked_range all{indices(0, rows), indices(0, columns)};
  filch::parallel_for(all, [&](indices some_rows, indices some_columns) {
    for (const std::size_t row : some_rows) {
      for (const std::size_t column : some_columns)
        to[column * rows + row] = from[row * columns + column];
    }
  });
  return to;
}
// [box]

// [body]
// What the body gathers is a type of its own. `T()` stands for the splitting constructor.
struct extremes {
  double least = std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::lowest();
};

// Stands for `join`.
struct both {
  extremes operator()(const extremes& left, const extremes& right) const {
    return {std::min(left.least, right.least), std::max(left.most, right.most)};
  }
};

double spread(const std::vector<double>& values) {
  filch::reducer<extremes, both> all;
  all.over(values, [](double value, extremes& mine) {  // stands for the call of the body
    mine.least = std::min(mine.least, value);
    mine.most = std::max(mine.most, value);
  });
  return all.value().most - all.value().least;
}

// The same, if a value can be made of each element.
double spread_by_reduce(const std::vector<double>& values) {
  const auto one = [](double value) { return extremes{value, value}; };
  const extremes all = filch::parallel_reduce(values, extremes{}, one, both{});
  return all.most - all.least;
}
// [body]

// [group]
// `wait` runs what no other thread has begun, so the last `run` costs no thread.
long sum(const std::vector<long>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  long left = 0, right = 0;
  filch::task_group group;
  group.run([&] { left = std::accumulate(values.begin(), middle, 0L); });
  group.run([&] { right = std::accumulate(middle, values.end(), 0L); });
  group.wait();
  return left + right;
}
// [group]

// [locals]
digit_counts last_digits(const std::vector<int>& numbers) {
  filch::worker_local<digit_counts> counts([] { return digit_counts{}; });  // makes each value
  filch::for_each_chunk(numbers, [&](auto chunk) {
    digit_counts& mine = counts.local();  // once a chunk: it costs 3 to 4 ns
    for (const int number : chunk) ++mine[static_cast<std::size_t>(number % 10)];
  });
  return counts.combine([](digit_counts left, const digit_counts& right) {
    for (std::size_t digit = 0; digit != left.size(); ++digit) left[digit] += right[digit];
    return left;
  });
}
// [locals]

}  // namespace

int main() {
  const int points = run({transposed, spread, sum, last_digits});
  const int blocks = run({transposed_by_blocks, spread_by_reduce, sum, last_digits});
  return points == 0 && blocks == 0 ? 0 : 1;
}
