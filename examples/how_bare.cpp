// Programs of the pages in docs/guide/how for those that compile without exceptions, call fork(),
// or handle signals. Compiled with -fno-exceptions.
#include <filch/algo/parallel_reduce.hpp>
#include <filch/co/block_on.hpp>
#include <filch/fork.hpp>
#include <filch/stop.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <optional>
#include <thread>

namespace {

// [no_exceptions]
enum class problem { negative };

struct outcome {
  long sum = 0;
  std::optional<problem> failed;
};

// A failure is a value. Of several the leftmost wins, as the operands keep their order.
outcome sum_of_roots(long count) {
  const auto one = [](long i) {
    return i < 0 ? outcome{0, problem::negative} : outcome{i % 7, std::nullopt};
  };
  const auto add = [](const outcome& a, const outcome& b) {
    return a.failed ? a : b.failed ? b : outcome{a.sum + b.sum, std::nullopt};
  };
  return filch::parallel_reduce(0L, count, outcome{}, one, add);
}

filch::task<long> later(long count) { co_return sum_of_roots(count).sum; }
// [no_exceptions]

// [fork]
int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

// The child has the pools of its parent, without threads and without jobs. It starts its own.
bool compute_in_a_child() {
  const int here = fib(15);  // the default pool is in use
  const pid_t child = ::fork();
  if (child == 0) ::_exit(fib(15) == here ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  return status == 0;
}
// [fork]

// [signals]
// One thread takes SIGTERM. All others block it, the workers too: all pools are made afterwards.
bool serve_until_sigterm() {
  sigset_t asked_to_end;
  ::sigemptyset(&asked_to_end);
  ::sigaddset(&asked_to_end, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &asked_to_end, nullptr);

  filch::thread_pool pool({.workers = 2});
  pool.submit([] { ::kill(::getpid(), SIGTERM); });  // as another process would
  int signal = 0;
  ::sigwait(&asked_to_end, &signal);
  return signal == SIGTERM && pool.stop(std::chrono::seconds(1)).is_finished();
}
// [signals]

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  // First: threads of the default pool would take the signal if they had begun before
  bool is_right = check("signals", serve_until_sigterm());
  is_right &= check("no_exceptions", sum_of_roots(7).sum == 21 && !sum_of_roots(7).failed);
  is_right &= check("coroutine", filch::block_on(later(7)) == 21);
  is_right &= check("fork", compute_in_a_child());
  return is_right ? 0 : 1;
}
