#pragma once
// What the tests of algorithms share. Each test program is compiled twice. With filch::filch it
// runs on real workers. With filch::testing it runs smaller sizes under the deterministic scheduler
// (tests called schedules.*).
#include <filch/base/clock.hpp>
#include <filch/base/rng.hpp>
#include <filch/filch.hpp>
#if defined(FILCH_TESTING)
#include <filch/testing.hpp>
#endif

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace filch::inline v0_2::algo {

inline const auto widths = ::testing::Values(1u, 2u, 5u);

/// Random input: `draw(n)` is below n.
class draw {
 public:
  explicit draw(std::uint64_t seed) : words_{seed} {}
  std::uint64_t operator()() { return words_(); }
  std::uint64_t operator()(std::uint64_t bound) { return words_() % bound; }
  /// Returns that many numbers below `bound`.
  std::vector<int> numbers(std::size_t count, int bound) {
    std::vector<int> all(count);
    for (int& each : all) each = static_cast<int>((*this)(static_cast<std::uint64_t>(bound)));
    return all;
  }

 private:
  base::split_mix64 words_;
};

#if !defined(FILCH_TESTING)
/// The seed of the random inputs of this run: FILCH_SEED from the environment, else another one
/// each time.
inline std::uint64_t first_seed() {
  static const char* const given = std::getenv("FILCH_SEED");
  static const std::uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : base::now_ns();
  return seed;
}

/// The command that makes the running test draw the same again.
inline std::string replay() {
  const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
  return "replay: FILCH_SEED=" + std::to_string(first_seed()) + " ctest -R " +
         test.test_suite_name() + "." + test.name();
}
#endif

/// A fixture: derive from it, and INSTANTIATE_TEST_SUITE_P(workers, <name>, widths).
class algo_on : public ::testing::TestWithParam<unsigned> {
 protected:
  /// Calls `check(n, draw)` on a pool with that many workers, for every size from 0 to 300 and for
  /// a few larger ones, one of them random.
  template <class Check>
  void on_all_sizes(Check check) {
#if defined(FILCH_TESTING)
    for (const std::size_t size : {0, 1, 2, 3, 7, 16, 65, 300}) on_size(size, check);
#else
    thread_pool pool({.workers = GetParam()});
    const auto once = [&](std::size_t size) {
      draw random{first_seed() + size};
      pool.run([&] { check(size, random); });
      if (HasFailure()) ADD_FAILURE() << "for " << size << " elements; " << replay();
    };
    for (std::size_t size = 0; size <= 300 && !HasFailure(); ++size) once(size);
    for (const std::size_t size : {511, 1'000, 4'097, 65'536, 300'000}) {
      if (!HasFailure()) once(size);
    }
    if (!HasFailure()) once(301 + draw{first_seed()}(100'000));
#endif
  }

  /// Calls `check(draw)` a number of times; under the deterministic scheduler with another schedule
  /// each time.
  template <class Check>
  void repeatedly(Check check) {
    on_size(20, [&](std::size_t, draw& random) { check(random); });
  }

 private:
  template <class Check>
  void on_size(std::size_t size, Check check) {
#if defined(FILCH_TESTING)
    const auto body = [&] {
      draw random{size + testing::seed()};
      thread_pool pool({.workers = GetParam()});
      pool.run([&] { check(size, random); });
    };
    const testing::report found = testing::explore(body, {.seeds = 12});
    EXPECT_TRUE(found.passed() && !HasFailure()) << size << " elements\n" << found.text();
#else
    thread_pool pool({.workers = GetParam()});
    for (std::uint64_t seed = 0; seed < 12 && !HasFailure(); ++seed) {
      draw random{first_seed() + seed};
      pool.run([&] { check(size, random); });
    }
    if (HasFailure()) ADD_FAILURE() << replay();
#endif
  }
};

}  // namespace filch::algo
