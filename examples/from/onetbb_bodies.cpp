// The four programs with oneTBB's ranges, bodies and thread-locals.
#include "../bodies.hpp"

#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

// [box]
matrix transposed(const matrix& from, std::size_t rows, std::size_t columns) {
  matrix to(from.size());
  const tbb::blocked_range2d<std::size_t> all(0, rows, 0, columns);
  tbb::parallel_for(all, [&](const tbb::blocked_range2d<std::size_t>& block) {
    for (std::size_t row = block.rows().begin(); row != block.rows().end(); ++row) {
      for (std::size_t column = block.cols().begin(); column != block.cols().end(); ++column)
        to[column * rows + row] = from[row * columns + column];
    }
  });
  return to;
}
// [box]

// [body]
class extremes {
 public:
  explicit extremes(const std::vector<double>& of) : values_{of} {}
  extremes(extremes& other, tbb::split) : values_{other.values_} {}
  void operator()(const tbb::blocked_range<std::size_t>& part) {
    for (std::size_t i = part.begin(); i != part.end(); ++i) {
      least = std::min(least, values_[i]);
      most = std::max(most, values_[i]);
    }
  }
  void join(const extremes& right) {
    least = std::min(least, right.least);
    most = std::max(most, right.most);
  }

  double least = std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::lowest();

 private:
  const std::vector<double>& values_;
};

double spread(const std::vector<double>& values) {
  extremes all(values);
  tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, values.size()), all);
  return all.most - all.least;
}
// [body]

// [group]
long sum(const std::vector<long>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  long left = 0, right = 0;
  tbb::task_group group;
  group.run([&] { left = std::accumulate(values.begin(), middle, 0L); });
  group.run_and_wait([&] { right = std::accumulate(middle, values.end(), 0L); });
  return left + right;
}
// [group]

// [locals]
digit_counts last_digits(const std::vector<int>& numbers) {
  tbb::enumerable_thread_specific<digit_counts> counts(digit_counts{});  // copies of an exemplar
  const tbb::blocked_range<std::size_t> all(0, numbers.size());
  tbb::parallel_for(all, [&](const tbb::blocked_range<std::size_t>& part) {
    digit_counts& mine = counts.local();
    for (std::size_t i = part.begin(); i != part.end(); ++i)
      ++mine[static_cast<std::size_t>(numbers[i] % 10)];
  });
  return counts.combine([](digit_counts left, const digit_counts& right) {
    for (std::size_t digit = 0; digit != left.size(); ++digit) left[digit] += right[digit];
    return left;
  });
}
// [locals]

}  // namespace

int main() { return run({transposed, spread, sum, last_digits}); }
