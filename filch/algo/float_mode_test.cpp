// Whatever rounding and denormals its caller has chosen, an algorithm gives the same bits at any
// width: a stolen half computes as its caller does.
#include <filch/algo/algo_test.hpp>
#include <filch/algo/algorithm.hpp>
#include <filch/base/float_mode.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

using doubles = std::vector<double>;

/// A third of `x`, and a sum of denormals of that size: depends on how the thread rounds and
/// whether it flushes.
double third(double x) { return x / 3 + x * 0x1p-530 * 0x1p-505 / 3 * 0x1p530 * 0x1p505; }
bool rounds_up(double x) { return third(x) * 3 > 2 * x; }
double rest(double x) { return third(x) * 3 - 2 * x; }
double sum_of_thirds(double a, double b) { return third(a) + third(b); }

double middle_of(const doubles& of) { return of[of.size() / 2]; }
doubles found_at(const doubles& in, doubles::const_iterator at) {
  return {static_cast<double>(at - in.begin())};
}

struct algorithm {
  const char* name;
  doubles (*run)(const settings& how, const doubles& in);
};

const algorithm algorithms[] = {
    {"parallel_for",
     [](const settings& how, const doubles& in) {
       doubles out(in.size());
       parallel_for(how, std::size_t{0}, in.size(), [&](std::size_t i) { out[i] = third(in[i]); });
       return out;
     }},
    {"parallel_reduce",
     [](const settings& how, const doubles& in) {
       return doubles{parallel_reduce(how, in.begin(), in.end(), 0.0, &third, std::plus<>{})};
     }},
    {"for_each",
     [](const settings& how, const doubles& in) {
       doubles out = in;
       for_each(how, out, [](double& each) { each = third(each); });
       return out;
     }},
    {"transform",
     [](const settings& how, const doubles& in) {
       doubles out(in.size());
       transform(how, in, out.begin(), &third);
       return out;
     }},
    {"tabulate",
     [](const settings& how, const doubles& in) {
       doubles out(in.size());
       tabulate(how, out, [&](std::size_t i) { return third(in[i]); });
       return out;
     }},
    {"reduce",
     [](const settings& how, const doubles& in) { return doubles{reduce(how, in, 0.0)}; }},
    {"reduce_by", [](const settings& how,
                     const doubles& in) { return doubles{reduce(how, in, 0.0, &sum_of_thirds)}; }},
    {"transform_reduce",
     [](const settings& how, const doubles& in) {
       return doubles{transform_reduce(how, in, 0.0, std::plus<>{}, &third)};
     }},
    {"inclusive_scan",
     [](const settings& how, const doubles& in) {
       doubles out(in.size());
       inclusive_scan(how, in, out.begin());
       return out;
     }},
    {"exclusive_scan",
     [](const settings& how, const doubles& in) {
       doubles out(in.size());
       exclusive_scan(how, in, out.begin(), 0.5);
       return out;
     }},
    {"transform_inclusive_scan",
     [](const settings& how, const doubles& in) {
       doubles out(in.size());
       transform_inclusive_scan(how, in, out.begin(), std::plus<>{}, &third);
       return out;
     }},
    {"adjacent_difference",
     [](const settings& how, const doubles& in) {
       doubles out(in.size());
       adjacent_difference(how, in, out.begin(), &sum_of_thirds);
       return out;
     }},
    {"count_if",
     [](const settings& how, const doubles& in) {
       return doubles{static_cast<double>(count_if(how, in, &rounds_up))};
     }},
    {"find_if",
     [](const settings& how, const doubles& in) {
       return found_at(in, find_if(how, in, [](double x) { return rest(x) > 0; }));
     }},
    {"min_element",
     [](const settings& how, const doubles& in) {
       return found_at(in, min_element(how, in, {}, &rest));
     }},
    {"max_element",
     [](const settings& how, const doubles& in) {
       return found_at(in, max_element(how, in, {}, &rest));
     }},
    {"copy_if",
     [](const settings& how, const doubles& in) {
       doubles out(in.size());
       copy_if(how, in, out.begin(), &rounds_up);
       return out;
     }},
    {"stable_partition",
     [](const settings& how, const doubles& in) {
       doubles out = in;
       stable_partition(how, out, &rounds_up);
       return out;
     }},
    {"stable_sort",
     [](const settings& how, const doubles& in) {
       doubles out = in;
       stable_sort(how, out, {}, &rest);
       return out;
     }},
    {"nth_element",
     [](const settings& how, const doubles& in) {
       doubles out = in;
       nth_element(how, out, out.begin() + static_cast<std::ptrdiff_t>(out.size() / 2), {}, &rest);
       return doubles{rest(middle_of(out))};  // of equal ones any
     }},
    {"histogram",
     [](const settings& how, const doubles& in) {
       const auto counts = histogram(how, in, 2, [](double x) { return rounds_up(x) ? 1 : 0; });
       return doubles(counts.begin(), counts.end());
     }},
    {"group_by_key",
     [](const settings& how, const doubles& in) {
       const auto groups = group_by_key(how, in, [](double x) { return rounds_up(x) ? 1 : 0; });
       return doubles(groups.elements().begin(), groups.elements().end());
     }},
};

/// Four ways to round, and each with denormals and, if the machine can, without.
std::vector<base::float_mode> all_modes() {
  std::vector<base::float_mode> all;
  const base::in_float_mode until_the_end{base::current_float_mode()};
  for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(rounding);
    all.push_back(base::current_float_mode());
#if defined(__SSE2__)
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8040u);  // flush to zero, denormals are zeros
    all.push_back(base::current_float_mode());
    __builtin_ia32_ldmxcsr(before);
#endif
  }
  return all;
}

doubles input(std::size_t count) {
  draw random{7};
  doubles all(count);
  // So that sums are rounded
  for (double& each : all) each = 1 + static_cast<double>(random(1'000'000)) / 1000;
  return all;
}

std::vector<std::uint64_t> bits_of(const doubles& all) {
  std::vector<std::uint64_t> bits;
  for (const double each : all) bits.push_back(std::bit_cast<std::uint64_t>(each));
  return bits;
}

/// Returns the result of the algorithm for `in` on that many workers, called from an external
/// thread in `mode`.
std::vector<std::uint64_t> bits_at(unsigned workers, const algorithm& which, base::float_mode mode,
                                   const doubles& in) {
  thread_pool pool({.workers = workers});
  pool.warm_up();  // threads start in the mode of the thread that starts them
  const base::in_float_mode here{mode};
  std::vector<std::uint64_t> bits = bits_of(which.run(with(deterministic, pool), in));
  EXPECT_EQ(base::current_float_mode(), mode) << which.name << ": the caller's own";
  return bits;
}

class float_mode : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(of, float_mode, ::testing::Range(std::size_t{0}, std::size(algorithms)));

TEST_P(float_mode, of_the_caller_holds_on_all_workers) {
  const algorithm& which = algorithms[GetParam()];
  SCOPED_TRACE(which.name);
#if defined(FILCH_TESTING)
  const doubles in = input(200);
#else
  const doubles in = input(20'000);
#endif
  std::set<std::vector<std::uint64_t>> all_bits;
  for (const base::float_mode mode : all_modes()) {
    const auto expected = bits_at(1, which, mode, in);
    all_bits.insert(expected);
    for (const unsigned workers : {2u, 4u}) {
#if defined(FILCH_TESTING)
      const auto body = [&] {
        testing::check(bits_at(workers, which, mode, in) == expected, "the bits of one worker");
      };
      const testing::report found =
          testing::explore(body, {.seeds = 3, .who_goes_on = testing::strategy::steal_everything});
      ASSERT_TRUE(found.passed()) << found.text();
#else
      for (int round = 0; round < 3; ++round)
        ASSERT_EQ(bits_at(workers, which, mode, in), expected) << workers;
#endif
    }
  }
  EXPECT_GE(all_bits.size(), 2u) << "the mode makes no difference, so this shows nothing";
}

}  // namespace
}  // namespace filch::algo
