// Sorts a stream while it comes: two sorted runs of one length are merged as soon as both are
// there. How long the stream is, and so which tasks there are, shows only at its end.
#include <filch/graph.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <utility>
#include <vector>

namespace {

using numbers = std::vector<std::uint32_t>;

/// Some chunks of numbers, as a file or a socket would give them.
class stream {
 public:
  explicit stream(int chunks) : left_{chunks} {}
  bool has_more() const { return left_ != 0; }
  numbers next() {
    --left_;
    numbers chunk(1'000);
    for (std::uint32_t& each : chunk) each = last_ = last_ * 1'664'525 + 1'013'904'223;
    return chunk;
  }

 private:
  int left_;
  std::uint32_t last_ = 1;
};

// [spawn_after]
numbers sort(numbers chunk) {
  std::sort(chunk.begin(), chunk.end());
  return chunk;
}
numbers merge(const numbers& left, const numbers& right) {
  numbers both;
  std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
  return both;
}

numbers sort_all(stream& in) {
  struct run {
    int merges;  // along each way to it
    filch::shared_join_handle<numbers> sorted;
  };
  std::vector<run> runs;  // each is longer than the next one
  const auto merge_last_two = [&] {
    const run right = std::move(runs.back());
    runs.pop_back();
    run& left = runs.back();
    left = {left.merges + 1, filch::spawn_after(merge, left.sorted, right.sorted)};
  };
  while (in.has_more()) {
    runs.push_back({0, filch::spawn_after([chunk = in.next()]() mutable {  // waits for none
                      return sort(std::move(chunk));
                    })});
    while (runs.size() > 1 && runs.end()[-2].merges == runs.back().merges) merge_last_two();
  }
  while (runs.size() > 1) merge_last_two();
  return runs.empty() ? numbers{} : std::move(runs.front().sorted).get();
}
// [spawn_after]

}  // namespace

int main() {
  stream in{100};
  const numbers sorted = sort_all(in);
  const bool is_right = sorted.size() == 100'000 && std::is_sorted(sorted.begin(), sorted.end());
  std::printf("%zu numbers: %s\n", sorted.size(), is_right ? "sorted" : "wrong");
  return is_right ? 0 : 1;
}
