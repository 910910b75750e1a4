// Coroutines: programs of the pages in docs/guide/how.
#include <filch/algo/parallel_reduce.hpp>
#include <filch/co.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>

#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

// [coroutines]
filch::task<> produce(int count, filch::channel<int>& out) {
  for (int i = 1; i <= count; ++i) {
    if (co_await out.send(i) == filch::send_result::closed) co_return;
  }
  out.close();  // what is in the channel is still received
}

filch::task<> add(filch::channel<int>& in, std::atomic<int>& sum) {
  while (const std::optional<int> value = co_await in.receive()) sum += *value;
}

filch::task<int> sum_by_three(int count) {
  std::atomic<int> sum{0};
  filch::channel<int> values{16};  // a producer that is ahead waits
  filch::co::scope all{co_await filch::co::get_stop_token()};
  all.spawn(produce(count, values));
  for (int i = 0; i < 3; ++i) all.spawn(add(values, sum));
  co_await all.join();  // all have ended; throws what the first that failed threw
  co_return sum.load();
}
// [coroutines]

// [wait]
filch::task<int> answer(int question) { co_return question * 2; }

int ask_from_a_plain_thread() {
  const int one = filch::block_on(answer(1));  // begins here, resumes on the workers

  filch::join_handle<int> begun = filch::spawn(answer(2));  // begins on a worker
  // The thread has other things to do here
  const int two = filch::block_on(std::move(begun));

  filch::oneshot<int> result;
  filch::default_pool().submit([&] { static_cast<void>(result.send(3)); });
  const int three = filch::wait(result.receive()).value_or(0);
  return one + two + three;
}
// [wait]

// [outside_result]
long sum_for(int request) {
  return filch::parallel_reduce(
      0, 10'000, 0L, [=](int i) { return long{i} * request; }, std::plus<>{});
}
filch::task<long> sum_later(int request) { co_return sum_for(request); }

// A thread that must not compute itself hands the work over, and takes the result back later.
long hand_over(int request) {
  filch::join_handle<long> begun = filch::spawn(sum_later(request));  // begins on a worker
  // The thread does other things here
  return filch::block_on(std::move(begun));  // only waits; throws what the task threw
}
// The same by a job that is no coroutine.
long hand_over_a_job(int request) {
  filch::oneshot<long> result;
  filch::default_pool().submit([&] { static_cast<void>(result.send(sum_for(request))); });
  return filch::wait(result.receive()).value_or(0);
}
// [outside_result]

// [locks]
class accounts {
 public:
  filch::task<> deposit(std::string name, int amount) {
    const filch::async_permit turn = co_await at_once_.acquire();  // two are in here at a time
    const filch::async_lock held = co_await lock_.lock();
    const int before = balance_[name];
    co_await filch::sleep_for(100us);  // the lock is held across this wait, no thread is
    balance_[name] = before + amount;
  }
  /// For plain functions.
  int balance(const std::string& name) {
    const filch::async_lock held = filch::wait(lock_.lock());
    return balance_[name];
  }

 private:
  filch::async_semaphore at_once_{2};
  filch::async_mutex lock_;
  std::map<std::string, int> balance_;
};
// [locks]

// [awaitable]
// A library of callbacks: calls `done` on a thread of its own.
template <class Done>
void ask_the_disk(int question, std::jthread& thread, Done done) {
  thread = std::jthread([=]() mutable { done(question + 1); });
}

// The callback sends a value. The task resumes on a worker, and may be asked to stop meanwhile.
filch::task<int> by_oneshot(int question, std::jthread& thread) {
  const auto answer = std::make_shared<filch::oneshot<int>>();  // the callback may come last
  ask_the_disk(question, thread, [answer](int value) { static_cast<void>(answer->send(value)); });
  const std::optional<int> value = co_await answer->receive();
  co_return value.value_or(0);
}

// An awaitable of your own. `submit` resumes the task on a worker, not on the library's thread.
struct disk_answer {
  int question;
  std::jthread& thread;
  int value = 0;

  static bool await_ready() noexcept { return false; }
  // Not inlined: clang before 17 may keep parts of it in the frame, which may be gone by then.
  [[gnu::noinline]] void await_suspend(std::coroutine_handle<> caller) {
    ask_the_disk(question, thread, [this, caller, &pool = filch::pool_here()](int answer) {
      value = answer;
      pool.submit([caller] { caller.resume(); });
    });
  }
  int await_resume() const noexcept { return value; }
};
// [awaitable]

filch::task<int> by_awaitable(int question, std::jthread& thread) {
  co_return co_await disk_answer{question, thread};
}

// [event_loop]
// What the main thread is to do. A send never waits.
using to_main_thread = filch::channel<std::function<void()>>;

filch::task<long> load(to_main_thread& to_main, int& percent) {
  long sum = 0;
  for (int part = 1; part <= 4; ++part) {
    sum += filch::parallel_reduce(
        0, 100'000, 0L, [](long i) { return i; }, std::plus<>{});
    std::function<void()> show = [&percent, part] { percent = part * 25; };
    static_cast<void>(co_await to_main.send(std::move(show)));
  }
  co_return sum;
}

void run_posted(to_main_thread& to_main) {
  while (auto job = to_main.try_receive()) (*job)();
}

bool run_frames() {
  int percent = 0;
  to_main_thread to_main{filch::unbounded};
  filch::join_handle<long> loading = filch::spawn(load(to_main, percent));  // returns at once
  while (!loading.is_finished()) {                                          // a look, no wait
    run_posted(to_main);                                                    // once a frame
    std::this_thread::sleep_for(1ms);                                       // draws it
  }
  run_posted(to_main);
  return filch::block_on(std::move(loading)) > 0 && percent == 100;  // has ended: no wait
}
// [event_loop]

// [background]
// Gives its worker away after each part, and goes on when nothing else is ready.
filch::task<> rebuild_index(std::vector<int>& parts) {
  const std::stop_token stop = co_await filch::co::get_stop_token();
  for (int& part : parts) {
    if (stop.stop_requested()) co_return;
    part = 1;  // some 100 us of work
    co_await filch::co::yield();
  }
}

long answer_beside_it(std::vector<int>& parts) {
  filch::join_handle<> index =
      filch::spawn(filch::with(filch::priority::background), rebuild_index(parts));
  // Begins at once, on this thread; free workers help it first
  const long answer = filch::parallel_reduce(
      0, 1'000, 0L, [](long i) { return i; }, std::plus<>{});
  filch::block_on(std::move(index));
  return answer;
}
// [background]

filch::task<> deposit_often(accounts& to, int times) {
  filch::co::scope all;
  for (int i = 0; i < times; ++i) all.spawn(to.deposit("Ada", 1));
  co_await all.join();
}

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  accounts bank;
  std::jthread disk;
  std::vector<int> parts(20);
  bool is_right = check("coroutines", filch::block_on(sum_by_three(100)) == 5'050);
  is_right &= check("handed over", hand_over(2) == hand_over_a_job(2));
  is_right &= check("wait", ask_from_a_plain_thread() == 9);
  filch::block_on(deposit_often(bank, 20));
  is_right &= check("locks", bank.balance("Ada") == 20);
  is_right &= check("by_oneshot", filch::block_on(by_oneshot(1, disk)) == 2);
  is_right &= check("by_awaitable", filch::block_on(by_awaitable(2, disk)) == 3);
  is_right &= check("event_loop", run_frames());
  is_right &= check("background", answer_beside_it(parts) == 499'500 && parts[19] == 1);
  return is_right ? 0 : 1;
}
