// Short calls: what each algorithm takes for 1 to 10^4 numbers beside the serial one of the
// standard, called by a job of the pool ("inside") and by a thread that is in none ("outside"). A
// cell is red, printed in bold, if filch takes longer than 1.05 times the serial one and 50 ns
// inside, or 150 ns outside.
#include <bench/harness/contender.hpp>
#include <bench/harness/median.hpp>
#include <filch/algo.hpp>
#include <filch/base/rng.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct plan {
  std::vector<std::size_t> sizes{1, 10, 100, 1'000, 10'000};
  unsigned rounds = 5;
  double batch_us = 200;
  std::vector<std::string> only;
  std::string json;
};

/// What algorithms work on. They see other numbers at each call, lest the processor learn by heart
/// which way the branches of a sort go.
class numbers {
 public:
  explicit numbers(std::size_t n) : work(n), out(2 * n) {
    filch::base::split_mix64 random{n};
    variants_.resize(std::clamp<std::size_t>((std::size_t{1} << 16) / n, 4, 256));
    for (variant& each : variants_) {
      each.in.resize(n);
      for (int& one : each.in) one = static_cast<int>(random() % 1'000'000);
      each.same = each.in;
      for (auto* one : {&each.sorted, &each.other}) {
        one->resize(n);
        for (int& number : *one) number = static_cast<int>(random() % (2 * n));
        std::ranges::sort(*one);
      }
    }
    next();
  }
  void next() {
    const variant& now = variants_[at_];
    at_ = at_ + 1 == variants_.size() ? 0 : at_ + 1;
    in = now.in;
    same = now.same;
    sorted = now.sorted;
    other = now.other;
  }
  /// The numbers once more, for what changes them.
  std::vector<int>& fresh() {
    std::copy(in.begin(), in.end(), work.begin());
    return work;
  }
  void keep(auto value) { result_ += static_cast<std::size_t>(value); }

  std::span<const int> in, same, sorted, other;
  std::vector<int> work, out;

 private:
  struct variant {
    std::vector<int> in, same, sorted, other;
  };

  std::vector<variant> variants_;
  std::size_t at_ = 0;
  std::size_t result_ = 0;  // kept, so that no call is left out
};

using call = std::function<void(numbers&)>;
struct row {
  const char* name;
  call serial, ours;
};

constexpr auto is_even = [](int each) { return each % 2 == 0; };
constexpr auto is_negative = [](int each) { return each < 0; };
constexpr auto tripled = [](int each) { return 3 * each + 1; };

std::vector<row> maps() {
  return {
      {"for_each", [](auto& d) { std::ranges::for_each(d.work, [](int& each) { each += 1; }); },
       [](auto& d) { filch::for_each(d.work, [](int& each) { each += 1; }); }},
      {"transform", [](auto& d) { std::ranges::transform(d.in, d.out.begin(), tripled); },
       [](auto& d) { filch::transform(d.in, d.out.begin(), tripled); }},
      {"fill", [](auto& d) { std::ranges::fill(d.work, 7); },
       [](auto& d) { filch::fill(d.work, 7); }},
      {"generate", [](auto& d) { std::ranges::generate(d.work, [] { return 7; }); },
       [](auto& d) { filch::generate(d.work, [] { return 7; }); }},
      {"copy", [](auto& d) { std::ranges::copy(d.in, d.out.begin()); },
       [](auto& d) { filch::copy(d.in, d.out.begin()); }},
      {"reverse", [](auto& d) { std::ranges::reverse(d.work); },
       [](auto& d) { filch::reverse(d.work); }},
      {"rotate",
       [](auto& d) { std::ranges::rotate(d.work, d.work.begin() + std::ssize(d.work) / 3); },
       [](auto& d) { filch::rotate(d.work, d.work.begin() + std::ssize(d.work) / 3); }},
      {"adjacent_difference",
       [](auto& d) { std::adjacent_difference(d.in.begin(), d.in.end(), d.out.begin()); },
       [](auto& d) { filch::adjacent_difference(d.in, d.out.begin()); }},
  };
}

std::vector<row> folds() {
  return {
      {"reduce", [](auto& d) { d.keep(std::reduce(d.in.begin(), d.in.end())); },
       [](auto& d) { d.keep(filch::reduce(d.in)); }},
      {"transform_reduce",
       [](auto& d) {
         d.keep(std::transform_reduce(d.in.begin(), d.in.end(), 0, std::bit_xor(), tripled));
       },
       [](auto& d) { d.keep(filch::transform_reduce(d.in, 0, std::bit_xor(), tripled)); }},
      {"count", [](auto& d) { d.keep(std::ranges::count(d.in, 7)); },
       [](auto& d) { d.keep(filch::count(d.in, 7)); }},
      {"count_if", [](auto& d) { d.keep(std::ranges::count_if(d.in, is_even)); },
       [](auto& d) { d.keep(filch::count_if(d.in, is_even)); }},
      {"min_element", [](auto& d) { d.keep(*std::ranges::min_element(d.in)); },
       [](auto& d) { d.keep(*filch::min_element(d.in)); }},
      {"minmax_element", [](auto& d) { d.keep(*std::ranges::minmax_element(d.in).max); },
       [](auto& d) { d.keep(*filch::minmax_element(d.in).max); }},
      {"is_sorted", [](auto& d) { d.keep(std::ranges::is_sorted(d.sorted)); },
       [](auto& d) { d.keep(filch::is_sorted(d.sorted)); }},
      {"find", [](auto& d) { d.keep(std::ranges::find(d.in, -1) == d.in.end()); },
       [](auto& d) { d.keep(filch::find(d.in, -1) == d.in.end()); }},
      {"any_of", [](auto& d) { d.keep(std::ranges::any_of(d.in, is_negative)); },
       [](auto& d) { d.keep(filch::any_of(d.in, is_negative)); }},
      {"equal", [](auto& d) { d.keep(std::ranges::equal(d.in, d.same)); },
       [](auto& d) { d.keep(filch::equal(d.in, d.same)); }},
      {"lexicographical_compare",
       [](auto& d) { d.keep(std::ranges::lexicographical_compare(d.in, d.same)); },
       [](auto& d) { d.keep(filch::lexicographical_compare(d.in, d.same)); }},
  };
}

std::vector<row> passes() {
  return {
      {"inclusive_scan",
       [](auto& d) { std::inclusive_scan(d.in.begin(), d.in.end(), d.out.begin()); },
       [](auto& d) { filch::inclusive_scan(d.in, d.out.begin()); }},
      {"exclusive_scan",
       [](auto& d) { std::exclusive_scan(d.in.begin(), d.in.end(), d.out.begin(), 0); },
       [](auto& d) { filch::exclusive_scan(d.in, d.out.begin(), 0); }},
      {"copy_if", [](auto& d) { std::ranges::copy_if(d.in, d.out.begin(), is_even); },
       [](auto& d) { filch::copy_if(d.in, d.out.begin(), is_even); }},
      {"partition_copy",
       [](auto& d) { std::ranges::partition_copy(d.in, d.out.begin(), d.work.begin(), is_even); },
       [](auto& d) { filch::partition_copy(d.in, d.out.begin(), d.work.begin(), is_even); }},
      {"remove_if", [](auto& d) { d.keep(std::ranges::remove_if(d.fresh(), is_even).size()); },
       [](auto& d) { d.keep(std::ranges::size(filch::remove_if(d.fresh(), is_even))); }},
      {"unique", [](auto& d) { d.keep(std::ranges::unique(d.fresh()).size()); },
       [](auto& d) { d.keep(std::ranges::size(filch::unique(d.fresh()))); }},
      {"stable_partition", [](auto& d) { std::ranges::stable_partition(d.fresh(), is_even); },
       [](auto& d) { filch::stable_partition(d.fresh(), is_even); }},
  };
}

std::vector<row> sorts() {
  return {
      {"sort", [](auto& d) { std::ranges::sort(d.fresh()); },
       [](auto& d) { filch::sort(d.fresh()); }},
      {"stable_sort", [](auto& d) { std::ranges::stable_sort(d.fresh()); },
       [](auto& d) { filch::stable_sort(d.fresh()); }},
      {"nth_element",
       [](auto& d) {
         std::ranges::nth_element(d.fresh(), d.work.begin() + std::ssize(d.work) / 2);
       },
       [](auto& d) { filch::nth_element(d.fresh(), d.work.begin() + std::ssize(d.work) / 2); }},
      {"partial_sort",
       [](auto& d) {
         std::ranges::partial_sort(d.fresh(), d.work.begin() + std::ssize(d.work) / 8);
       },
       [](auto& d) { filch::partial_sort(d.fresh(), d.work.begin() + std::ssize(d.work) / 8); }},
      {"merge", [](auto& d) { std::ranges::merge(d.sorted, d.other, d.out.begin()); },
       [](auto& d) { filch::merge(d.sorted, d.other, d.out.begin()); }},
      {"set_union", [](auto& d) { std::ranges::set_union(d.sorted, d.other, d.out.begin()); },
       [](auto& d) { filch::set_union(d.sorted, d.other, d.out.begin()); }},
      {"set_intersection",
       [](auto& d) { std::ranges::set_intersection(d.sorted, d.other, d.out.begin()); },
       [](auto& d) { filch::set_intersection(d.sorted, d.other, d.out.begin()); }},
      {"random_shuffle", [](auto& d) { std::ranges::shuffle(d.work, std::minstd_rand(1)); },
       [](auto& d) { filch::random_shuffle(d.work, 1); }},
  };
}

/// Nanoseconds a call, of so many calls one after the other.
double ns_of(const call& f, numbers& d, std::size_t calls) {
  return bench::seconds_of([&] {
           for (std::size_t i = 0; i != calls; ++i) {
             d.next();
             f(d);
           }
         }) *
         1e9 / static_cast<double>(calls);
}

struct cell {
  double serial_ns, ours_ns;
  bool is_red(double spare_ns) const { return ours_ns > 1.05 * serial_ns + spare_ns; }
};

/// The least of some rounds in turn: what else the machine does only adds.
cell measured(const plan& p, const row& r, numbers& d) {
  ns_of(r.ours, d, 3);
  const double once = std::max(1.0, ns_of(r.serial, d, 3));
  const auto calls = static_cast<std::size_t>(std::max(3.0, p.batch_us * 1e3 / (once + 100)));
  cell least{1e300, 1e300};
  for (unsigned round = 0; round != p.rounds; ++round) {
    least.serial_ns = std::min(least.serial_ns, ns_of(r.serial, d, calls));
    least.ours_ns = std::min(least.ours_ns, ns_of(r.ours, d, calls));
  }
  return least;
}

/// Prints the row, and returns how many of its cells are red.
int print(const plan& p, const row& r, nlohmann::json& figures) {
  std::printf("| %-23s ", r.name);
  int red = 0;
  for (const std::size_t size : p.sizes) {
    numbers d(size);
    const cell outside = measured(p, r, d);
    const cell inside = filch::default_pool().run([&] { return measured(p, r, d); });
    for (const auto& [place, spare_ns, c] :
         {std::tuple("inside", 50.0, inside), std::tuple("outside", 150.0, outside)}) {
      const bool is_red = c.is_red(spare_ns);
      red += is_red;
      const std::string mark = is_red ? "**" : "";
      std::printf("| %s%.0f%s ", mark.c_str(), c.ours_ns, mark.c_str());
      figures.push_back({{"algorithm", r.name},
                         {"size", size},
                         {"from", place},
                         {"serial_ns", c.serial_ns},
                         {"filch_ns", c.ours_ns},
                         {"is_red", is_red}});
    }
    std::printf("(%.0f) ", inside.serial_ns);
  }
  std::printf("|\n");
  std::fflush(stdout);
  return red;
}

int measure(const plan& p) {
  std::printf("Nanoseconds inside | outside (the serial one).\n\n| algorithm ");
  for (const std::size_t size : p.sizes) std::printf("| %zu | outside ", size);
  std::printf("|\n|---");
  for (std::size_t i = 0; i != p.sizes.size(); ++i) std::printf("|---|---");
  std::printf("|\n");
  nlohmann::json figures;
  int red = 0;
  for (const auto& rows : {maps(), folds(), passes(), sorts()}) {
    for (const row& each : rows) {
      if (p.only.empty() || std::ranges::count(p.only, each.name) != 0)
        red += print(p, each, figures);
    }
  }
  std::printf("\n%d of %zu cells are red\n", red, figures.size());
  if (!p.json.empty()) std::ofstream(p.json) << figures.dump(1) << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  plan p;
  CLI::App app("Short calls of each algorithm beside the serial one");
  app.add_option("algorithms", p.only, "these alone");
  app.add_option("--sizes", p.sizes, "elements")->check(CLI::PositiveNumber);
  app.add_option("--rounds", p.rounds, "of which the least is printed")->check(CLI::PositiveNumber);
  app.add_option("--batch-us", p.batch_us, "how long one is about")->check(CLI::PositiveNumber);
  app.add_option("--json", p.json, "a file for the figures");
  CLI11_PARSE(app, argc, argv);
  filch::default_pool().warm_up();
  return measure(p);
}
