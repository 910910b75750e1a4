// Tasks that fork, move to another pool, look whether they are asked to stop, and race each other.
#include <filch/co.hpp>
#include <filch/timers.hpp>

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace std::chrono_literals;

// [fork]
struct node {
  std::string name;
  std::vector<node> children;
};

// As `filch::join`, for tasks: a child begins here at once, and a free worker may go on with the
// next one meanwhile. So thousands of children cost no thread, and may wait.
filch::task<long> count(const node& of) {
  std::vector<filch::co::forked<long>> counted;
  counted.reserve(of.children.size());
  for (const node& each : of.children) {
    counted.push_back(co_await filch::co::fork(count(each)));
  }
  co_await filch::co::join;
  long sum = 1;
  for (filch::co::forked<long>& each : counted) sum += each.get();
  co_return sum;
}
// [fork]

// [schedule_on]
// Reads in a pool for files, and goes on in the pool that called it.
filch::task<bool> move_and_return(filch::thread_pool& files) {
  filch::thread_pool& here = filch::pool_here();
  co_await filch::co::schedule_on(files);
  const bool was_there = files.is_current();
  co_await filch::co::schedule_on(here);
  co_return was_there&& here.is_current();
}
// [schedule_on]

// [throw_if_stopped]
// A computation without a wait looks now and then. A task that waits needs no look.
filch::task<long> search(long candidates) {
  long tried = 0;
  for (; tried < candidates; ++tried) {
    if (tried % 1'000 == 0) co_await filch::co::throw_if_stopped();
  }
  co_return tried;
}
filch::task<bool> ends_when_asked() {
  const auto found = co_await filch::with_timeout(search(1L << 60), 5ms);
  co_return !found;
}
// [throw_if_stopped]

// [when_any]
filch::task<std::string> ask(std::string server, std::chrono::milliseconds takes) {
  co_await filch::sleep_for(takes);  // ends by `co::cancelled` if another one was first
  co_return server;
}
filch::task<> give_up_after(std::chrono::milliseconds time) { co_await filch::sleep_for(time); }

// The first answer of several servers; the others are cancelled.
filch::task<std::string> ask_all() {
  std::vector<filch::task<std::string>> all;
  all.push_back(ask("Oslo", 1h));
  all.push_back(ask("Rome", 1ms));
  filch::first_result<std::string> first = co_await filch::when_any(std::move(all));
  co_return std::to_string(first.index) + " " + std::move(first.value);
}

// Tasks of several types give a variant, with a monostate for a task of void.
filch::task<bool> ask_or_give_up() {
  const auto first = co_await filch::when_any(ask("Oslo", 1h), give_up_after(1ms));
  co_return std::holds_alternative<std::monostate>(first.value);
}
// [when_any]

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  const node root{"a", {{"b", {{"c", {}}, {"d", {}}}}, {"e", {}}}};
  bool is_right = check("fork", filch::block_on(count(root)) == 5);
  filch::thread_pool files({.workers = 1});
  is_right &= check("schedule_on", filch::block_on(move_and_return(files)));
  is_right &= check("throw_if_stopped", filch::block_on(ends_when_asked()));
  is_right &= check("when_any", filch::block_on(ask_all()) == "1 Rome");
  is_right &= check("when_any of two types", filch::block_on(ask_or_give_up()));
  return is_right ? 0 : 1;
}
