#pragma once
// Model checks as GoogleTest tests: `holds` explores a scenario; a WITNESS weakens one edge and must see a scenario break.
#include <gtest/gtest.h>

#include <filch/base/cache_line.hpp>
#include <filch/base/model_sync.hpp>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

namespace filch::base {

/// A few threads and what must be true of them, asserted with `model_assert`. Built anew for every execution.
class scenario_steps {
 public:
  virtual ~scenario_steps() = default;
  virtual void thread(unsigned index) = 0;
  virtual void after() {}
};

template <int Threads>
struct scenario : scenario_steps {
  static constexpr int thread_count = Threads;
  /// Preemptions in the exhaustive part. 2 is known to be too few; 0 leaves that part out.
  static constexpr unsigned context_bound = 3;
  static constexpr std::uint64_t random_execution_count = 200'000;
};

/// What Relacy runs. One per number of threads rather than one per scenario: Relacy takes seconds to compile each.
template <int Threads>
class stage : public rl::test_suite<stage<Threads>, Threads> {
 public:
  static constexpr std::size_t room_bytes = 4096;
  static inline scenario_steps* (*build)(void* place) = nullptr;

  stage() {
    void* place = room_;
    std::size_t bytes = sizeof room_;
    steps_ = build(std::align(cache_line_bytes, room_bytes, place, bytes));
  }
  ~stage() { steps_->~scenario_steps(); }
  void thread(unsigned index) { steps_->thread(index); }
  void after() { steps_->after(); }

 private:
  std::byte room_[room_bytes + cache_line_bytes];
  scenario_steps* steps_;
};

struct verdict {
  bool broken = false;
  std::uint64_t execution_count = 0;
  std::string history;  ///< What Relacy printed: the finding, then the failing execution step by step.
};

/// Explores `Scenario` until it breaks: exhaustively up to its context bound, or by as many random executions as it asks for.
template <class Scenario>
verdict explore(rl::scheduler_type_e search) {
  using suite = stage<Scenario::thread_count>;
  static_assert(sizeof(Scenario) <= suite::room_bytes && alignof(Scenario) <= cache_line_bytes);
  suite::build = [](void* place) -> scenario_steps* { return new (place) Scenario; };
  rl::ostringstream output;  // Relacy's own kind: it allocates outside the simulated heap
  std::ostream nowhere{nullptr};
  rl::test_params parameters;
  parameters.output_stream = &output;
  parameters.progress_stream = &nowhere;
  parameters.search_type = search;
  parameters.context_bound = Scenario::context_bound;
  parameters.iteration_count = Scenario::random_execution_count;
  const bool sound = rl::simulate<suite>(parameters);
  return {!sound, parameters.stop_iteration, output.str().c_str()};
}

template <class Scenario>
verdict explore() {
  const verdict bounded = Scenario::context_bound > 0 ? explore<Scenario>(rl::sched_bound) : verdict{};
  if (bounded.broken) return bounded;
  verdict random = explore<Scenario>(rl::sched_random);
  random.execution_count += bounded.execution_count;
  return random;
}

/// Succeeds when no explored execution of `Scenario` breaks.
template <class Scenario>
testing::AssertionResult holds() {
  weaken_nothing();
  const verdict found = explore<Scenario>();
  std::cout << found.execution_count << " executions\n";
  if (found.broken) {
    return testing::AssertionFailure() << "broken by execution " << found.execution_count << ":\n" << found.history;
  }
  if (found.execution_count < Scenario::random_execution_count) return testing::AssertionFailure() << "explored almost nothing";
  return testing::AssertionSuccess();
}

/// Explores `Scenarios` one after the other until one breaks.
template <class... Scenarios>
verdict explore_any() {
  verdict sum;
  const auto next_breaks = [&sum](const verdict& found) {
    sum = {found.broken, sum.execution_count + found.execution_count, found.history};
    return found.broken;
  };
  static_cast<void>((next_breaks(explore<Scenarios>()) || ...));
  return sum;
}

/// What every program of model checks proves first: a use of freed memory is seen. The compiler can take that away, since what the
/// checker writes into a dead object has no reader in the language's eyes; g++ needs -fno-lifetime-dse.
struct use_after_free : scenario<2> {
  std::unique_ptr<relacy_sync::atomic<int>> word = std::make_unique<relacy_sync::atomic<int>>(0);
  void thread(unsigned index) override {
    if (index == 0) return word.reset();
    if (auto* const seen = word.get()) static_cast<void>(seen->load(relaxed));
  }
};

class edge_test : public testing::Test {
 public:
  edge_test(const char* edge, const char* text, bool must_break, verdict (*explore_weakened)())
      : edge_{edge}, text_{text}, must_break_{must_break}, explore_weakened_{explore_weakened} {}

  void TestBody() override {
    const verdict found = explore_weakened_();
    std::cout << edge_ << (found.broken ? ", caught after " : ", not caught in ") << found.execution_count
              << " executions: " << text_ << "\n";
    if (must_break_) {
      EXPECT_TRUE(found.broken) << "weakening " << edge_
                                << " breaks nothing: is the order needed, or is the scenario too tame?";
    } else {
      EXPECT_FALSE(found.broken) << edge_ << " has a witness after all: turn its NO_WITNESS into a WITNESS\n" << found.history;
    }
  }

 private:
  const char* edge_;
  const char* text_;
  bool must_break_;
  verdict (*explore_weakened_)();
};

/// Registers a test in the suite named after `file`, beside the ones that the file itself writes.
template <class MakeTest>
bool register_model_test(const std::string& name, const std::string& file, int line, MakeTest make_test) {
  const std::string file_name = file.substr(file.rfind('/') + 1);
  const std::string suite = file_name.substr(0, file_name.find('.'));
  testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, file.c_str(), line,
                        [=]() -> testing::Test* { return make_test(); });
  return true;
}

/// A test named after the edge; with `MustBreak` false it is an excuse, which dies when a scenario does break.
template <auto Edge, bool MustBreak, class... Scenarios>
bool register_edge_test(const char* edge, const char* text, const char* file, int line) {
  const std::string name = std::string{edge}.substr(std::string{edge}.rfind(':') + 1);
  return register_model_test((MustBreak ? "witness_of_" : "no_witness_of_") + name, file, line, [=] {
    return new edge_test(edge, text, MustBreak, [] {
      weaken<Edge>();
      const verdict found = explore_any<Scenarios...>();
      weaken_nothing();
      return found;
    });
  });
}

[[maybe_unused]] static const bool checker_test =
    register_model_test("checker_sees_a_use_of_freed_memory", __BASE_FILE__, __LINE__, [] {
      class use_after_free_test : public testing::Test {
        void TestBody() override { EXPECT_TRUE(explore<use_after_free>().broken) << "compile with -fno-lifetime-dse"; }
      };
      return new use_after_free_test;
    });

}  // namespace filch::base

#define FILCH_JOIN_TOKENS_NOW(a, b) a##b
#define FILCH_JOIN_TOKENS(a, b) FILCH_JOIN_TOKENS_NOW(a, b)
#define FILCH_EDGE_TEST(edge, text, must_break, ...)                           \
  [[maybe_unused]] static const bool FILCH_JOIN_TOKENS(edge_test_, __LINE__) = \
      ::filch::base::register_edge_test<edge, must_break, __VA_ARGS__>(#edge, text, __FILE__, __LINE__)

/// WITNESS(edge::x, "claim", scenarios...): with the edge weakened to relaxed, one of the scenarios must break.
#define WITNESS(edge, claim, ...) FILCH_EDGE_TEST(edge, claim, true, __VA_ARGS__)
/// NO_WITNESS(edge::x, "reason", scenarios...): the checker cannot show what the edge is for; no scenario breaks without it.
#define NO_WITNESS(edge, reason, ...) FILCH_EDGE_TEST(edge, reason, false, __VA_ARGS__)
