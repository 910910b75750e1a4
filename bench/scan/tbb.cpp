#include <bench/harness/tbb_threads.hpp>
#include <bench/scan/problem.hpp>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_scan.h>

#include <functional>

namespace {

class with_tbb {
 public:
  explicit with_tbb(unsigned workers) : threads_(workers) {}

  void sum(const auto& in, auto& out) {
    using value = std::remove_cvref_t<decltype(in[0])>;
    scan(in.size(), value{}, [&](std::size_t i, value total, bool is_final) {
      total += in[i];
      if (is_final) out[i] = total;
      return total;
    });
  }
  void copy_odd(const auto& in, auto& out) {
    scan(in.size(), std::size_t{0}, [&](std::size_t i, std::size_t chosen, bool is_final) {
      const bool is_chosen = bench::scan::is_odd(in[i]);
      if (is_final && is_chosen) out[chosen] = in[i];
      return chosen + is_chosen;
    });
  }

 private:
  template <class T, class Step>
  void scan(std::size_t count, T start, Step step) {
    using range = oneapi::tbb::blocked_range<std::size_t>;
    threads_.run([&] {
      return oneapi::tbb::parallel_scan(
          range(0, count), start,
          [&](const range& part, T total, bool is_final) {
            for (std::size_t i = part.begin(); i != part.end(); ++i)
              total = step(i, total, is_final);
            return total;
          },
          std::plus<>{});
    });
  }

  bench::tbb_threads threads_;
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::scan::as("tbb"));
  with_tbb solver(me.workers());
  bench::scan::measure(me, solver);
  return me.exit_status();
}
