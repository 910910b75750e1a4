// What is made once a process, when one of its allocations is refused: each trial has a process of
// its own.
#include <filch/filch.hpp>
#include <filch/fork/refused_memory_test.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace {

using namespace filch::trials;
using filch::thread_pool;

enum verdict : int { got_through, refused_and_fine_again, wrong };

/// As `refuse_each`, each time in a process of its own, for what is made once a process. `trial`
/// says whether all was well.
template <class Trial>
void refuse_each_in_a_child(Trial&& trial) {
  for (const refusal what : {refusal::one, refusal::all_from_there}) {
    int status = -1;
    for (long granted = 0; status != got_through; ++granted) {
      const pid_t child = ::fork();
      ASSERT_NE(child, -1);
      if (child == 0) {
        bool has_struck = false;
        const bool fine = trial(disturbance{what, granted, &has_struck});
        ::_exit(!fine ? wrong : has_struck ? refused_and_fine_again : got_through);
      }
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFEXITED(status))
          << "signal " << WTERMSIG(status) << " where " << granted << " allocations were granted";
      status = WEXITSTATUS(status);
      ASSERT_TRUE(status == got_through || status == refused_and_fine_again)
          << "where " << granted << " allocations were granted";
    }
  }
}

TEST(out_of_memory, the_default_pool_is_refused_and_made_at_the_next_call) {
  refuse_each_in_a_child([](const disturbance& disturbed) {
    ::setenv("FILCH_WORKERS", "2", 1);  // reading the CPU budget has a test of its own
    long result = 0;
    const ending end = disturbed([&] { result = fib(5); });
    const bool fine = end == ending::bad_alloc || (end == ending::completed && result == 5);
    return fine && fib(10) == 55 && works(filch::default_pool());
  });
}

TEST(out_of_memory, the_first_pool_and_the_ninth_leak_nothing_when_refused) {
  // The list of all pools, which stays: itself and its room
  constexpr long list_blocks = 2;
  for (const std::size_t others : {0, 8}) {  // eight fill that room
    refuse_each_in_a_child([others](const disturbance& disturbed) {
      std::vector<std::unique_ptr<thread_pool>> pools(others);
      for (auto& each : pools)
        each = std::make_unique<thread_pool>(filch::pool_options{.workers = 1});
      const long before = blocks_alive;
      const ending end = disturbed([] { const thread_pool one_more({.workers = 2}); });
      const long left_over = blocks_alive - before;
      return (end == ending::completed || end == ending::bad_alloc) &&
             left_over <= (others == 0 ? list_blocks : 0);
    });
  }
}

}  // namespace
