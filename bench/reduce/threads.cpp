// By hand: each thread takes an equal part, with the kernel that filch's leaves have. What a
// scheduler could reach.
#include <bench/reduce/problem.hpp>
#include <filch/algo/simd_lanes.hpp>
#include <filch/algo/walk.hpp>

#include <functional>
#include <thread>

namespace {

class threads {
 public:
  explicit threads(unsigned count) : partial_(count) {}

  float sum(std::span<const float> a) {
    return folded(a.size(), [a](std::uint64_t i) { return a[i]; });
  }
  float dot(std::span<const float> a, std::span<const float> b) {
    return folded(a.size(), [a, b](std::uint64_t i) { return a[i] * b[i]; });
  }
  void square(std::span<float> a) {
    in_parts(a.size(), [a](unsigned, std::uint64_t from, std::uint64_t to) {
      filch::algo::visit_each(to - from, a.begin() + static_cast<std::ptrdiff_t>(from),
                              [](float& x) { x *= x; });
    });
  }

 private:
  template <class Read>
  float folded(std::uint64_t count, Read read) {
    in_parts(count, [&](unsigned part, std::uint64_t from, std::uint64_t to) {
      partial_[part].value = filch::algo::fold_lanes<float, std::plus<>>(from, to, read);
    });
    float total = 0;
    for (const padded& each : partial_) total += each.value;
    return total;
  }
  template <class Work>
  void in_parts(std::uint64_t count, Work work) {
    const std::uint64_t parts = partial_.size();
    std::vector<std::jthread> others;
    for (unsigned part = 1; part != parts; ++part) {
      others.emplace_back([=, &work] {
        work(part, count / parts * part, part + 1 == parts ? count : count / parts * (part + 1));
      });
    }
    work(0, 0, parts == 1 ? count : count / parts);
  }

  struct alignas(64) padded {
    float value;
  };
  std::vector<padded> partial_;
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::reduce::as("threads"));
  threads solver(me.workers());
  bench::reduce::measure(me, solver);
  return me.exit_status();
}
