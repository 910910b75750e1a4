#pragma once
// Model checks as GoogleTest tests: `holds` explores a scenario; a WITNESS weakens one edge and
// must see a scenario break.
#include <gtest/gtest.h>

#include <filch/testing/model/checked_sync.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>

namespace filch::inline v0_2::testing {

constexpr const char* name_of(checker which) {
  return which == checker::relacy ? "relacy" : "explorer";
}

/// The running test's name, as ctest knows it.
inline std::string present_test() {
  const auto* const running = ::testing::UnitTest::GetInstance()->current_test_info();
  return std::string{running->test_suite_name()} + "." + running->name();
}

/// One line for the page of evidence.
inline void report(const verdict& found) {
  std::cout << found.execution_count << " executions";
  if (found.state_count > 0) std::cout << ", " << found.state_count << " states";
  std::cout << ": " << found.extent << "\n";
  std::cout << R"(evidence: {"kind": ")" << name_of(present_checker) << R"(", "name": ")"
            << present_test() << R"(", "executions": )" << found.execution_count
            << R"(, "states": )" << found.state_count << R"(, "complete": )"
            << (found.is_complete ? "true" : "false") << R"(, "extent": ")" << found.extent
            << "\"}\n";
}

/// Functions that weaken each edge of this program, by the name in its WITNESS.
inline std::map<std::string, void (*)()>& known_edges() {
  static std::map<std::string, void (*)()> edges;
  return edges;
}

/// With FILCH_WEAKEN=edge::name in the environment every test runs with that edge weakened. False:
/// this program has no such edge.
inline bool weaken_as_asked() {
  base::weaken_nothing();
  const char* const asked = std::getenv("FILCH_WEAKEN");
  if (asked == nullptr) return true;
  const auto found = known_edges().find(asked);
  if (found == known_edges().end()) return false;
  found->second();
  return true;
}

/// Succeeds if no explored execution of `Scenario` breaks.
template <class Scenario>
::testing::AssertionResult holds() {
  if (!weaken_as_asked())
    return ::testing::AssertionFailure()
           << "this program has no edge " << std::getenv("FILCH_WEAKEN");
  const verdict found = check<Scenario>(search_goal::everything);
  base::weaken_nothing();
  if (found.is_broken) {
    return ::testing::AssertionFailure() << "broken by execution " << found.execution_count << ":\n"
                                         << found.history;
  }
  report(found);
  if (!found.is_complete &&
      std::max(found.execution_count, found.state_count) < Scenario::random_execution_count) {
    return ::testing::AssertionFailure() << "explored almost nothing: " << found.execution_count
                                         << " executions, " << found.extent;
  }
  return ::testing::AssertionSuccess();
}

/// Succeeds if some execution of `Scenario` breaks.
template <class Scenario>
::testing::AssertionResult breaks() {
  const verdict found = check<Scenario>(search_goal::a_break);
  if (!found.is_broken)
    return ::testing::AssertionFailure()
           << "nothing breaks in " << found.execution_count << " executions";
  std::cout << "breaks after " << found.execution_count << " executions\n";
  return ::testing::AssertionSuccess();
}

/// Explores `Scenarios` one after the other until one breaks.
template <class... Scenarios>
verdict check_any() {
  verdict sum;
  const auto next_breaks = [&sum](const verdict& found) {
    sum = {found.is_broken,   found.is_complete, sum.execution_count + found.execution_count,
           found.state_count, found.extent,      found.history};
    return found.is_broken;
  };
  static_cast<void>((next_breaks(check<Scenarios>(search_goal::a_break)) || ...));
  return sum;
}

/// Every program of model checks first proves that a use of freed memory is seen. The compiler
/// could remove that: to the language, what the checker writes into a dead object has no reader.
/// g++ needs -fno-lifetime-dse.
struct use_after_free : scenario<2> {
  std::unique_ptr<checked_sync::atomic<int>> word = std::make_unique<checked_sync::atomic<int>>(0);
  checked_sync::atomic<int>* const kept = word.get();
  void thread(unsigned index) override {
    index == 0 ? word.reset() : static_cast<void>(kept->load(base::relaxed));
  }
};

/// The checker that must see an edge's loss. A checker that is excused must not see it: if it does,
/// the excuse is wrong and the test fails.
enum class seen_by : unsigned char { both, relacy_only, explorer_only, neither };

constexpr bool must_see(seen_by who) {
  return who == seen_by::both ||
         who ==
             (present_checker == checker::relacy ? seen_by::relacy_only : seen_by::explorer_only);
}

struct edge_claim {
  const char* edge;
  const char* text;
  seen_by who;
  verdict (*check_weakened)();
};

class edge_test : public ::testing::Test {
 public:
  explicit edge_test(const edge_claim& claim) : claim_{claim} {}

  void TestBody() override {
    const verdict found = claim_.check_weakened();
    std::cout << claim_.edge << (found.is_broken ? ", caught after " : ", not caught in ")
              << found.execution_count << " executions: " << claim_.text << "\n";
    std::cout << R"(evidence: {"kind": "edge", "name": ")" << present_test() << R"(", "edge": ")"
              << claim_.edge << R"(", "checker": ")" << name_of(present_checker)
              << R"(", "executions": )" << found.execution_count << R"(, "caught": )"
              << (found.is_broken ? "true" : "false") << R"(, "claim": ")" << claim_.text
              << "\"}\n";
    if (must_see(claim_.who)) {
      EXPECT_TRUE(found.is_broken)
          << "weakening " << claim_.edge
          << " breaks nothing: is the order needed, or is the scenario too tame?";
    } else {
      EXPECT_FALSE(found.is_broken)
          << claim_.edge << " has a witness here after all: say so in its WITNESS\n"
          << found.history;
    }
  }

 private:
  edge_claim claim_;
};

/// Registers a test in the suite named after `file`, beside the tests in that file.
template <class MakeTest>
bool register_model_test(const std::string& name, const std::string& file, int line,
                         MakeTest make_test) {
  const std::string file_name = file.substr(file.rfind('/') + 1);
  const std::string suite = file_name.substr(0, file_name.find('.'));
  ::testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, file.c_str(), line,
                          [=]() -> ::testing::Test* { return make_test(); });
  return true;
}

/// A test named after the edge: a witness, or an excuse.
template <auto Edge, seen_by Who, class... Scenarios>
bool register_edge_test(const char* edge, const char* text, const char* file, int line) {
  known_edges()[edge] = [] { base::weaken<Edge>(); };
  const std::string name = std::string{edge}.substr(std::string{edge}.rfind(':') + 1);
  const auto check_weakened = [] {
    base::weaken<Edge>();
    const verdict found = check_any<Scenarios...>();
    base::weaken_nothing();
    return found;
  };
  return register_model_test((must_see(Who) ? "witness_of_" : "no_witness_of_") + name, file, line,
                             [=] {
                               return new edge_test{{edge, text, Who, check_weakened}};
                             });
}

[[maybe_unused]] static const bool checker_test =
    register_model_test("checker_sees_a_use_of_freed_memory", __BASE_FILE__, __LINE__, [] {
      class use_after_free_test : public ::testing::Test {
        void TestBody() override {
          EXPECT_TRUE(breaks<use_after_free>()) << "compile with -fno-lifetime-dse";
        }
      };
      return new use_after_free_test;
    });

}  // namespace filch::testing

#define FILCH_JOIN_TOKENS_NOW(a, b) a##b
#define FILCH_JOIN_TOKENS(a, b) FILCH_JOIN_TOKENS_NOW(a, b)
#define FILCH_EDGE_TEST(edge, text, who, ...)                                                  \
  [[maybe_unused]] static const bool FILCH_JOIN_TOKENS(edge_test_, __LINE__) =                 \
      ::filch::testing::register_edge_test<edge, ::filch::testing::seen_by::who, __VA_ARGS__>( \
          #edge, text, __FILE__, __LINE__)

/// WITNESS(edge::x, "claim", scenarios...): with the edge weakened to relaxed, both checkers must
/// see one of the scenarios break.
#define WITNESS(edge, claim, ...) FILCH_EDGE_TEST(edge, claim, both, __VA_ARGS__)
/// The same for an edge whose loss only one of them can see; the claim or the room's README has the
/// reason.
#define WITNESS_BY_RELACY(edge, claim, ...) FILCH_EDGE_TEST(edge, claim, relacy_only, __VA_ARGS__)
#define WITNESS_BY_EXPLORER(edge, claim, ...) \
  FILCH_EDGE_TEST(edge, claim, explorer_only, __VA_ARGS__)
/// NO_WITNESS(edge::x, "reason", scenarios...): no checker can show the purpose of the edge, as no
/// scenario breaks without it.
#define NO_WITNESS(edge, reason, ...) FILCH_EDGE_TEST(edge, reason, neither, __VA_ARGS__)
