// What caches, memory and single instructions cost.
#include <filch/base/clock.hpp>
#include <filch/base/raw_array.hpp>
#include <filch/base/rng.hpp>
#include <filch/sched/pool/pool.hpp>
#include <tools/cli/machine/empty_joins.hpp>
#include <tools/cli/machine/measure.hpp>
#include <tools/cli/machine/two_threads.hpp>

#include <atomic>
#include <memory>
#include <numeric>

namespace filch::cli {

namespace {

using base::now_ns;

/// A cache line that says which one comes next.
struct alignas(64) link {
  link* next = nullptr;
  std::uint64_t value = 1;
};

/// Makes the `count` links one circle in random order: each is first known when the one before it
/// has arrived, and no prefetcher guesses it.
void make_circle(link* first, std::size_t count, std::size_t distance = 1) {
  base::split_mix64 random{1};
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = count - 1; i > 0; --i) std::swap(order[i], order[random() % i]);
  // Sattolo's shuffle is one cycle already
  for (std::size_t i = 0; i < count; ++i) first[i * distance].next = first + order[i] * distance;
}

link* follow(link* at, std::size_t steps) {
  for (std::size_t i = 0; i < steps; ++i) at = at->next;
  // The compiler must not leave out the walk
  asm volatile("" : : "r"(at) : "memory");
  return at;
}

template <class Body>
double each_ns(std::size_t times, Body body) {
  const std::uint64_t begin = now_ns();
  for (std::size_t i = 0; i < times; ++i) body();
  return ns_since(begin) / static_cast<double>(times);
}

/// Samples of what one of `times` calls of `body` takes.
template <class Body>
std::function<void(samples&)> calls(std::size_t times, Body body) {
  return [=](samples& into) {
    for (unsigned i = 0; i < 20; ++i) {
      const preemption_watch watch;
      const double ns = each_ns(times, body);
      into.add(ns, watch.was_preempted());
    }
  };
}

/// One thread modifies lines, the other fetches them one after the other.
void fetch_from(unsigned owner_cpu, unsigned reader_cpu, samples& into) {
  constexpr std::size_t lines = 128, distance = 4;  // 32 KiB apart, in the owner's own caches
  constexpr unsigned repeats = 40;
  const auto memory = std::make_unique<link[]>(lines * distance);
  make_circle(memory.get(), lines, distance);
  turns turn;
  const pinned_thread reader(reader_cpu, [&] {
    for (unsigned i = 0; i < repeats; ++i) {
      turn.await(1);
      const preemption_watch watch;
      const std::uint64_t begin = now_ns();
      follow(memory.get(), lines);
      const double ns = ns_since(begin);
      into.add(ns / lines, watch.was_preempted());
      turn.hand_over(0);
    }
  });
  const pinned_thread owner(owner_cpu, [&] {
    for (unsigned i = 0; i < repeats; ++i) {
      turn.await(0);
      for (std::size_t line = 0; line < lines; ++line) ++memory[line * distance].value;
      turn.hand_over(1);
    }
  });
}

/// More memory than any cache has.
class big_circle {
 public:
  static constexpr std::size_t count = (std::size_t{256} << 20) / sizeof(link);
  big_circle() : memory_(count) {
    std::uninitialized_default_construct_n(memory_.data(), count);
    make_circle(memory_.data(), count);
    at_ = memory_.data();
  }

  void walk(samples& into) {
    constexpr std::size_t steps = 4000;
    for (unsigned i = 0; i < 10; ++i) {
      const preemption_watch watch;
      const std::uint64_t begin = now_ns();
      at_ = follow(at_, steps);
      const double ns = ns_since(begin) / steps;
      into.add(ns, watch.was_preempted());
    }
  }
  /// Threads on `cpus` read 8 MiB each. Adds what a line took all of them together.
  void stream(const std::vector<unsigned>& cpus, samples& into) {
    std::atomic<std::size_t> ready{0};
    std::atomic<bool> disturbed{false};
    std::vector<double> took(cpus.size());
    {
      std::vector<std::unique_ptr<pinned_thread>> threads;
      for (std::size_t i = 0; i < cpus.size(); ++i) {
        const link* const first = next_part();
        threads.push_back(std::make_unique<pinned_thread>(cpus[i], [&, first, i] {
          ready.fetch_add(1);
          while (ready.load() < cpus.size()) base::cpu_relax();
          const preemption_watch watch;
          const std::uint64_t begin = now_ns();
          read_part(first);
          took[i] = ns_since(begin);
          if (watch.was_preempted()) disturbed.store(true);
        }));
      }
    }
    const double longest = *std::ranges::max_element(took);
    into.add(longest / static_cast<double>(part * cpus.size()), disturbed.load());
  }

 private:
  static constexpr std::size_t part = (std::size_t{8} << 20) / sizeof(link);

  /// Another one each time, so that it is in no cache.
  const link* next_part() {
    next_ = (next_ + part) % count;
    return memory_.data() + next_;
  }
  static void read_part(const link* first) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < part; ++i) sum += first[i].value;
    asm volatile("" : : "r"(sum) : "memory");
  }

  base::raw_array<link> memory_;
  link* at_;
  std::size_t next_ = 0;
};

/// The nearest core that is `far` away from the first, or null.
const topo::cpu* core_at(const core_layout& of, topo::distance far) {
  const auto found = std::ranges::find_if(of.cores, [&](const topo::cpu& each) {
    return topo::distance_between(of.cores.front(), each) == far;
  });
  return found == of.cores.end() ? nullptr : &*found;
}

void add_fetches(const core_layout& of, std::vector<probe>& to) {
  const auto add = [&](std::string_view key, topo::distance far) {
    const topo::cpu* const other = core_at(of, far);
    if (other == nullptr) return;
    to.push_back({key, "a dependent load of a line that another core has modified",
                  [first = of.cores.front().os_index, second = other->os_index](samples& into) {
                    fetch_from(second, first, into);
                  }});
  };
  add("same_cache", topo::distance::same_cache);
  add("same_node", topo::distance::same_node);
  add("other_node", topo::distance::anywhere);
}

/// A pool of one worker, bound as the caller is when it starts.
std::function<void(samples&)> joins() {
  return [pool = std::make_shared<thread_pool>(pool_options{.workers = 1, .max_spares = 0})](
             samples& into) {
    constexpr unsigned depth = 14;
    pool->run([&] {
      for (unsigned i = 0; i < 20; ++i) {
        const preemption_watch watch;
        const std::uint64_t begin = now_ns();
        empty_joins(depth);
        const double ns = ns_since(begin) / empty_join_count(depth);
        into.add(ns / accesses_per_join, watch.was_preempted());
      }
    });
  };
}

}  // namespace

std::vector<probe> memory_probes(const core_layout& of) {
  const auto word = std::make_shared<std::atomic<std::uint64_t>>();
  const auto big = std::make_shared<big_circle>();
  std::vector<probe> all;
  all.push_back({"access", "a fork and its join without work, by its accesses", joins()});
  all.push_back({"locked", "", calls(2000, [word] { word->fetch_add(1); })});
  add_fetches(of, all);
  all.push_back(
      {"memory", "a dependent load from 256 MiB", [big](samples& into) { big->walk(into); }});
  all.push_back(
      {"node line", "", [big, cpus = of.first_node](samples& into) { big->stream(cpus, into); }});
  all.push_back({"core line", "", [big, cpu = of.cores.front().os_index](samples& into) {
                   for (unsigned i = 0; i < 20; ++i) big->stream({cpu}, into);
                 }});
  all.push_back({"pause", "pause instructions in a row", calls(1000, [] { base::cpu_relax(); })});
  all.push_back({"clock", "readings of the processor's counter in a row", calls(1000, [] {
                   asm volatile("" : : "r"(base::ticks()));
                 })});
  return all;
}

}  // namespace filch::cli
