// What calls of the kernel cost, and how long it takes until a thread runs.
#include <filch/base/futex.hpp>
#include <filch/base/membarrier.hpp>
#include <filch/base/thread.hpp>
#include <sys/resource.h>
#include <tools/cli/machine/measure.hpp>
#include <tools/cli/machine/two_threads.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

namespace filch::cli {

namespace {

using base::now_ns;
using word = base::atomic<std::uint32_t>;

void spin_for(std::uint64_t nanoseconds) {
  const std::uint64_t end = now_ns() + nanoseconds;
  while (now_ns() < end) base::cpu_relax();
}

/// How often the calling thread has left its processor: by force, and in all.
struct switch_counts {
  long forced = 0, all = 0;
};
switch_counts own_switches() noexcept {
  rusage counted{};
#if defined(RUSAGE_THREAD)
  ::getrusage(RUSAGE_THREAD, &counted);
#endif
  return {counted.ru_nivcsw, counted.ru_nivcsw + counted.ru_nvcsw};
}

/// Sleeps until the word has another value.
void sleep_while(word& at, std::uint32_t value) {
  while (at.load(std::memory_order_acquire) == value) base::futex_wait(at, value);
}
void wake_with(word& at, std::uint32_t value) {
  at.store(value, std::memory_order_release);
  base::futex_wake_one(at);
}

// -------------------------------------------------------------------------------------------------
// heavy fences
constexpr unsigned fences_in_a_round = 100;

/// A thread on `cpu` that computes, and shows whether it has the processor.
class computing_thread {
 public:
  explicit computing_thread(unsigned cpu)
      : thread_{cpu, [this] {
                  while (!stops_.load(std::memory_order_relaxed)) {
                    rounds_.store(rounds_.load(std::memory_order_relaxed) + 1,
                                  std::memory_order_relaxed);
                    base::cpu_relax();
                  }
                }} {}
  ~computing_thread() { stops_.store(true); }

  /// Cost: about 1 us.
  bool is_running() const {
    const std::uint64_t before = rounds_.load(std::memory_order_relaxed);
    spin_for(1'000);
    return rounds_.load(std::memory_order_relaxed) != before;
  }

 private:
  std::atomic<bool> stops_{false};
  std::atomic<std::uint64_t> rounds_{0};
  pinned_thread thread_;  // joined before the words go
};
using computing_threads = std::vector<std::unique_ptr<computing_thread>>;

bool run(const computing_threads& all) {
  return std::ranges::all_of(all, [](const auto& each) { return each->is_running(); });
}

/// For at most 20 ms: other processes may have the processors.
void wait_until_they_run(const computing_threads& all) {
  const std::uint64_t end = now_ns() + 20'000'000;
  while (!run(all) && now_ns() < end) base::cpu_relax();
}

/// Samples of heavy fences that find all of `others` on their processors, and leave them there.
void fence(const computing_threads& others, samples& into) {
  for (unsigned i = 0; i < fences_in_a_round; ++i) {
    wait_until_they_run(others);
    const preemption_watch watch;
    const bool ran = run(others);
    const std::uint64_t begin = now_ns();
    base::heavy_fence();
    const double ns = ns_since(begin);
    into.add(ns, !ran || watch.was_preempted() || !run(others));
    spin_for(5'000);
  }
}

/// While one more thread sleeps: a process of one thread gets its fences for nothing.
void fence_alone(samples& into) {
  word sleeps{1};
  std::thread sleeper{[&] { sleep_while(sleeps, 1); }};
  fence({}, into);
  wake_with(sleeps, 0);
  sleeper.join();
}

/// While threads on `cpus` compute.
void fence_beside(const std::vector<unsigned>& cpus, samples& into) {
  computing_threads others;
  for (const unsigned cpu : cpus) others.push_back(std::make_unique<computing_thread>(cpu));
  fence(others, into);
}

/// A thread on `cpu` reads the clock all the time, and sees by how much each fence holds it up.
void interrupts(unsigned cpu, samples& into) {
  constexpr double most_between = 200, most_of_an_interrupt = 20'000;
  std::atomic<bool> runs{false}, stops{false};
  const pinned_thread victim(cpu, [&] {
    runs.store(true);
    for (std::uint64_t last = now_ns(); !stops.load(std::memory_order_relaxed);) {
      const std::uint64_t now = now_ns();
      const auto gap = static_cast<double>(now - last);
      if (gap > most_between) into.add(gap, gap > most_of_an_interrupt);
      last = now;
    }
  });
  while (!runs.load()) base::cpu_relax();
  for (unsigned i = 0; i < fences_in_a_round; ++i) {
    base::heavy_fence();
    spin_for(20'000);
  }
  stops.store(true);
}

// -------------------------------------------------------------------------------------------------
// sleep and wake
/// What a thread does that is woken again and again.
struct woken {
  word number{0};               ///< The waker: of the next wake.
  word answered{0};             ///< The sleeper: of the last one that reached it.
  std::uint64_t ran_at_ns = 0;  ///< When it ran then.

  void sleep_again_and_again(std::uint32_t times) {
    for (std::uint32_t i = 0; i < times; ++i) {
      sleep_while(number, i);
      ran_at_ns = now_ns();
      answered.store(i + 1, std::memory_order_release);
    }
  }
};

enum class part_of_a_wake { call, until_it_runs };

/// Wakes a thread on `cpu` that has slept for 200 us.
void wake(unsigned cpu, part_of_a_wake part, samples& into) {
  constexpr std::uint32_t times = 40;
  woken sleeper;
  {
    const pinned_thread thread(cpu, [&] { sleeper.sleep_again_and_again(times); });
    for (std::uint32_t i = 0; i < times; ++i) {
      spin_for(200'000);
      const preemption_watch watch;
      sleeper.number.store(i + 1, std::memory_order_release);
      const std::uint64_t begin = now_ns();
      base::futex_wake_one(sleeper.number);
      const std::uint64_t end = now_ns();
      const bool is_disturbed = watch.was_preempted();
      while (sleeper.answered.load(std::memory_order_acquire) != i + 1) base::cpu_relax();
      if (part == part_of_a_wake::call) into.add(static_cast<double>(end - begin), is_disturbed);
      if (part == part_of_a_wake::until_it_runs)
        into.add(static_cast<double>(sleeper.ran_at_ns) - static_cast<double>(end), is_disturbed);
    }
  }
}

/// A thread on `cpu` that reads the clock all the time, so that it sees when it goes on.
class watching_thread {
 public:
  explicit watching_thread(unsigned cpu)
      : thread_{cpu, [this] {
                  std::uint64_t last = now_ns();
                  while (!stops_.load(std::memory_order_relaxed)) {
                    const std::uint64_t now = now_ns();
                    if (now - last > most_between_ns) went_on_.store(now);
                    last = now;
                  }
                }} {}
  ~watching_thread() { stops_.store(true); }
  /// When it last went on after it had lost its processor, or been interrupted; 0: never.
  std::uint64_t went_on_ns() const { return went_on_.load(); }

 private:
  static constexpr std::uint64_t most_between_ns = 1'000;
  std::atomic<bool> stops_{false};
  std::atomic<std::uint64_t> went_on_{0};
  pinned_thread thread_;
};

/// From the moment when a thread on `cpu` begins to sleep until the next one of that processor
/// goes on.
void fall_asleep(unsigned cpu, samples& into) {
  constexpr std::uint32_t times = 40;
  constexpr double most_ns = 100'000;  // then another process has had the processor between
  word number{0};
  std::atomic<std::uint64_t> begins_ns{0};
  const watching_thread next(cpu);
  const pinned_thread sleeper(cpu, [&] {
    for (std::uint32_t i = 0; i < times; ++i) {
      begins_ns.store(now_ns());
      sleep_while(number, i);
    }
  });
  std::uint64_t last = 0;
  for (std::uint32_t i = 0; i < times; ++i) {
    while (begins_ns.load() == last) base::cpu_relax();
    last = begins_ns.load();
    spin_for(200'000);
    const auto ns = static_cast<double>(next.went_on_ns()) - static_cast<double>(last);
    into.add(ns, ns < 0 || ns > most_ns);
    wake_with(number, i + 1);
  }
}

constexpr std::uint64_t timer_ns = 200'000;

void timer(samples& into) {
  word never{0};
  for (unsigned i = 0; i < 40; ++i) {
    const std::uint64_t begin = now_ns();
    base::futex_wait_for(never, 0, timer_ns);
    into.add(ns_since(begin) - static_cast<double>(timer_ns));
  }
}

// -------------------------------------------------------------------------------------------------
// threads
/// Two threads of one processor yield to each other. Their processor time, so that other processes
/// do not count.
void yields(unsigned cpu, samples& into) {
  constexpr unsigned times = 500;
  struct counted {
    double cpu_ns = 0;
    long switches = 0;
  } of[2];
  std::atomic<unsigned> ready{0};
  {
    const auto yield = [&ready](counted& mine) {
      ready.fetch_add(1);
      while (ready.load() < 2) std::this_thread::yield();
      const switch_counts before = own_switches();
      const std::uint64_t begin_ns = base::own_cpu_ns();
      for (unsigned i = 0; i < times; ++i) std::this_thread::yield();
      mine.cpu_ns = static_cast<double>(base::own_cpu_ns() - begin_ns);
      mine.switches = own_switches().all - before.all;
    };
    const pinned_thread one(cpu, [&] { yield(of[0]); });
    const pinned_thread other(cpu, [&] { yield(of[1]); });
  }
  const auto switches = static_cast<double>(of[0].switches + of[1].switches);
  // A yield that did not switch has cost time, too
  into.add((of[0].cpu_ns + of[1].cpu_ns) / switches, switches < 0.8 * 2 * times);
}

void starts(samples& into) {
  for (unsigned i = 0; i < 20; ++i) {
    std::uint64_t ran_at_ns = 0;
    const preemption_watch watch;
    const std::uint64_t begin = now_ns();
    base::thread started = base::start_thread(i, [&] { ran_at_ns = now_ns(); });
    const bool is_disturbed = watch.was_preempted();
    started.join();
    into.add(static_cast<double>(ran_at_ns - begin) / 2, is_disturbed);
  }
}

}  // namespace

long preemption_watch::count() noexcept { return own_switches().forced; }

std::vector<probe> kernel_probes(const core_layout& of) {
  const unsigned first = of.cores.front().os_index, last = of.cores.back().os_index;
  std::vector<probe> all;
  if (base::has_asymmetric_fence()) {
    all.push_back(
        {"heavy_fence", "membarrier while no other thread of the process runs", fence_alone});
    std::vector<unsigned> others;
    for (const topo::cpu& each : of.cores) {
      if (each.os_index != first) others.push_back(each.os_index);
    }
    if (!others.empty()) {
      all.push_back({"fence beside", "", [others](samples& into) { fence_beside(others, into); }});
      all.push_back({"interrupt", "what a membarrier holds up a thread that reads the clock",
                     [last](samples& into) { interrupts(last, into); }});
    }
  }
  const auto add_wake = [&](std::string_view key, const char* how, part_of_a_wake part) {
    all.push_back({key, how, [last, part](samples& into) { wake(last, part, into); }});
  };
  if (of.cores.size() > 1) {
    add_wake("wake", "a futex wake of a thread that has slept for 200 us", part_of_a_wake::call);
    add_wake("wake_latency", "from the end of that call until it runs",
             part_of_a_wake::until_it_runs);
    all.push_back({"to next",
                   "from the begin of a futex wait until the next thread of the core runs, "
                   "less context_switch",
                   [last](samples& into) { fall_asleep(last, into); }});
  }
  all.push_back({"timer", "", timer});
  all.push_back({"context_switch", "processor time of two threads that yield to each other",
                 [last](samples& into) { yields(last, into); }});
  all.push_back({"start_thread", "half of the time until a new thread runs", starts});
  return all;
}

}  // namespace filch::cli
