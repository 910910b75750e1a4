// What the threads of a pool begin with, as `pool_options` say.
#include <filch/base/thread.hpp>
#include <filch/filch.hpp>
#include <filch/topo/affinity.hpp>

#include <gtest/gtest.h>

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using filch::pool_options;
using filch::thread_pool;

/// What a job finds on a thread of the pool.
template <class F>
auto on_thread_of(thread_pool& pool, F look) {
  decltype(look()) found{};
  std::atomic<bool> has_run{false};
  pool.submit([&] {
    found = look();
    has_run = true;
  });
  while (!has_run) std::this_thread::yield();
  return found;
}

/// What the constructor says to these options.
std::string refusal_of(const pool_options& options) {
  try {
    thread_pool pool(options);
    return "";
  } catch (const std::exception& refused) {
    return refused.what();
  }
}

#if defined(__linux__)
std::string name_of_thread() {
  std::ifstream file("/proc/self/task/" + std::to_string(filch::topo::current_thread().number) +
                     "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

TEST(thread_options, name_the_threads) {
  const auto is_called = [](thread_pool& pool, const char* wanted) {
    return on_thread_of(pool, [=] {
      return name_of_thread() == wanted + std::string("-") + std::to_string(filch::worker_index());
    });
  };
  std::string prefix = "decoder";
  thread_pool pool({.workers = 1, .thread_name = prefix.c_str()});
  prefix = "gone";
  EXPECT_TRUE(is_called(pool, "decoder"));
  thread_pool usual({.workers = 1});
  EXPECT_TRUE(is_called(usual, "filch"));
  thread_pool long_one({.workers = 1, .thread_name = "a_name_of_many_letters"});
  EXPECT_TRUE(is_called(long_one, "a_name_of_man"));
  thread_pool as_before({.workers = 1, .thread_name = nullptr});
  EXPECT_EQ(on_thread_of(as_before, name_of_thread), name_of_thread());
}

TEST(thread_options, set_the_nice_value) {
  const int before = filch::base::current_nice();
  thread_pool pool({.workers = 1, .nice = 3});
  EXPECT_EQ(on_thread_of(pool, filch::base::current_nice), std::min(before + 3, 19));
  EXPECT_EQ(filch::base::current_nice(), before) << "of the maker";
  const std::string refusal = refusal_of({.workers = 1, .nice = -1});
  EXPECT_TRUE(refusal.empty() || refusal.find("CAP_SYS_NICE") != std::string::npos) << refusal;
}
#endif

#if defined(__GLIBC__)
std::size_t stack_bytes_here() {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  EXPECT_EQ(::pthread_getattr_np(::pthread_self(), &attributes), 0);
  EXPECT_EQ(::pthread_attr_getstacksize(&attributes, &bytes), 0);
  ::pthread_attr_destroy(&attributes);
  return bytes;
}

TEST(thread_options, give_the_size_of_the_stack) {
  for (const std::size_t wanted : {std::size_t{1} << 18, (std::size_t{3} << 20) + 5}) {
    thread_pool pool({.workers = 1, .stack_bytes = wanted});
    const std::size_t given = on_thread_of(pool, stack_bytes_here);
    EXPECT_GE(given, wanted);
    EXPECT_LT(given, 4 * wanted + (std::size_t{1} << 17))
        << "the C library may hand out one that it has kept";
  }
}
#endif

bool is_blocked(const sigset_t& mask, int signal) { return ::sigismember(&mask, signal) == 1; }

TEST(thread_options, block_the_signals_of_the_maker_whichever_thread_starts_them) {
  sigset_t one, before;
  ::sigemptyset(&one);
  ::sigaddset(&one, SIGUSR1);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &one, &before), 0);
  thread_pool pool({.workers = 1});
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
  const sigset_t of_thread = on_thread_of(pool, filch::base::blocked_signals);
  EXPECT_TRUE(is_blocked(of_thread, SIGUSR1));
  EXPECT_FALSE(is_blocked(of_thread, SIGUSR2));
  EXPECT_FALSE(is_blocked(filch::base::blocked_signals(), SIGUSR1))
      << "the mask of the thread that started it";
}

TEST(thread_options, block_all_signals_but_faults) {
  thread_pool pool({.workers = 1, .block_signals = true});
  const sigset_t of_thread = on_thread_of(pool, filch::base::blocked_signals);
  for (const int blocked : {SIGINT, SIGTERM, SIGUSR1, SIGCHLD, SIGPIPE, SIGALRM})
    EXPECT_TRUE(is_blocked(of_thread, blocked));
  for (const int taken : {SIGSEGV, SIGBUS, SIGFPE, SIGPROF})
    EXPECT_FALSE(is_blocked(of_thread, taken));
}

std::atomic<int> handled_by{0};
// A signal handler may call it
void note_thread(int) { handled_by = static_cast<int>(::syscall(SYS_gettid)); }

// A process-wide signal that the program's own threads block, but one, reaches that one.
TEST(thread_options, leave_signals_for_the_process_to_the_programs_own_threads) {
  thread_pool pool({.workers = 2, .block_signals = true});
  pool.warm_up();
  struct sigaction note = {}, before = {};
  note.sa_handler = note_thread;
  ASSERT_EQ(::sigaction(SIGUSR1, &note, &before), 0);
  sigset_t one, mask;
  ::sigemptyset(&one);
  ::sigaddset(&one, SIGUSR1);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &one, &mask), 0);
  handled_by = 0;
  ASSERT_EQ(::kill(::getpid(), SIGUSR1), 0);  // stays pending: no thread takes it
  on_thread_of(pool, [] { return 0; });
  EXPECT_EQ(handled_by, 0) << "a thread of the pool took it";
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &mask, nullptr), 0);
  EXPECT_EQ(handled_by, filch::topo::current_thread().number);
  ASSERT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
}

/// What callbacks have seen, by worker.
struct diary {
  std::mutex lock;
  std::map<unsigned, std::vector<std::string>> lines;
  std::map<unsigned, std::thread::id> threads;
  void add(unsigned worker, const char* line) {
    const std::lock_guard guard(lock);
    threads.try_emplace(worker, std::this_thread::get_id());
    EXPECT_EQ(threads[worker], std::this_thread::get_id());
    lines[worker].emplace_back(line);
  }
};

TEST(thread_options, call_back_once_on_each_thread_around_its_jobs) {
  diary seen;
  {
    thread_pool pool(
        {.workers = 3,
         .on_thread_start = [](unsigned worker,
                               void* all) { static_cast<diary*>(all)->add(worker, "start"); },
         .on_thread_stop = [](unsigned worker,
                              void* all) { static_cast<diary*>(all)->add(worker, "stop"); },
         .thread_context = &seen});
    EXPECT_TRUE(seen.lines.empty()) << "before there is work";
    pool.warm_up();
    {
      const std::lock_guard guard(seen.lock);
      EXPECT_EQ(seen.lines.size(), 3u);
    }
    std::atomic<int> ran{0};
    for (int i = 0; i < 100; ++i) {
      pool.submit([&] {
        seen.add(filch::worker_index(), "job");
        ++ran;
      });
    }
    while (ran != 100) std::this_thread::yield();
  }
  for (const auto& [worker, lines] : seen.lines) {
    ASSERT_GE(lines.size(), 2u) << worker;
    EXPECT_EQ(lines.front(), "start");
    EXPECT_EQ(lines.back(), "stop");
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) EXPECT_EQ(lines[i], "job");
  }
}

std::atomic<int> escaped{0};

TEST(thread_options, what_a_callback_throws_goes_to_the_handler_and_the_thread_goes_on) {
  escaped = 0;
  const auto fails = [](unsigned, void*) { throw std::runtime_error("no virtual machine"); };
  {
    thread_pool pool({.workers = 1,
                      .on_escaped_exception = [](std::exception_ptr) noexcept { ++escaped; },
                      .on_thread_start = fails,
                      .on_thread_stop = fails});
    pool.warm_up();
    EXPECT_GE(escaped, 1);
    EXPECT_EQ(on_thread_of(pool, [] { return 7; }), 7);
  }
  EXPECT_GE(escaped, 2);
  EXPECT_EQ(escaped % 2, 0) << "as often at the start of a thread as at its end";
}

TEST(thread_options, a_callback_may_submit) {
  static std::atomic<int> ran;
  ran = 0;
  static thread_pool* begun = nullptr;
  thread_pool pool(
      {.workers = 1, .on_thread_start = [](unsigned, void*) { begun->submit([] { ++ran; }); }});
  begun = &pool;
  pool.warm_up();
  while (ran == 0) std::this_thread::yield();
}

TEST(thread_options, that_make_no_sense_are_refused_by_name) {
  EXPECT_NE(refusal_of({.stack_bytes = 100}).find("pool_options::stack_bytes is 100"),
            std::string::npos);
  EXPECT_NE(refusal_of({.stack_bytes = ~std::size_t{0}}).find("pool_options::stack_bytes"),
            std::string::npos);
  EXPECT_NE(refusal_of({.nice = 100}).find("pool_options::nice is 100"), std::string::npos);
  EXPECT_NE(refusal_of({.nice = -100}).find("pool_options::nice is -100"), std::string::npos);
}

}  // namespace
