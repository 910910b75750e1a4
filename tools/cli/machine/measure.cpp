#include <fmt/format.h>
#include <sched.h>
#include <tools/cli/machine/measure.hpp>

#include <filch/testing/machine/machine_keys.hpp>
#include <filch/topo/affinity.hpp>

#include <algorithm>
#include <ctime>
#include <set>

namespace filch::cli {

namespace {

constexpr unsigned rounds = 5;

/// Restores what the calling thread may run on.
class bound_to {
 public:
  explicit bound_to(unsigned cpu) : before_{topo::current_affinity()} {
    topo::pin_current_thread(cpu);
  }
  ~bound_to() { topo::set_current_affinity(before_); }
  bound_to(const bound_to&) = delete;
  bound_to& operator=(const bound_to&) = delete;

 private:
  std::vector<unsigned> before_;
};

/// The results of probes, by key.
class results {
 public:
  explicit results(std::vector<probe> probes) : probes_{std::move(probes)} {
    for (unsigned round = 0; round < rounds; ++round) {
      for (probe& each : probes_) each.take(each.got);
    }
  }
  const probe* find(std::string_view key) const {
    const auto found = std::ranges::find(probes_, key, &probe::key);
    return found == probes_.end() || found->got.kept() == 0 ? nullptr : &*found;
  }
  double median(std::string_view key, double otherwise) const {
    const probe* const found = find(key);
    return found == nullptr ? otherwise : found->got.median();
  }

 private:
  std::vector<probe> probes_;
};

std::string sample_text(const samples& of) {
  return fmt::format("median of {} samples, half of them from {:.3g} to {:.3g}; {} discarded",
                     of.kept(), of.quantile(0.25), of.quantile(0.75), of.seen() - of.kept());
}

/// Fills a machine from results.
class assembly {
 public:
  explicit assembly(const results& from) : from_{from} {}

  /// `less` is subtracted: the part of the measurement that another price pays for. `probe_key`
  /// is that of the probe if it has another one.
  void take(std::string_view key, double testing::machine::*member, double less = 0,
            std::string_view probe_key = {}) {
    const probe* const found = from_.find(probe_key.empty() ? key : probe_key);
    if (found == nullptr) return assume(key);
    made_.prices.*member = at_least_a_little(found->got.median() - less);
    made_.sources[key] = fmt::format("measured: {}; {}", found->how, sample_text(found->got));
  }
  void set(std::string_view key, double testing::machine::*member, double value,
           std::string source) {
    made_.prices.*member = at_least_a_little(value);
    made_.sources[key] = std::move(source);
  }
  /// The default stays.
  void assume(std::string_view key) { made_.sources[key] = "assumed: this machine cannot show it"; }
  const results& from() const noexcept { return from_; }
  measured_machine& made() noexcept { return made_; }

 private:
  /// A file has positive prices only. A difference of two measurements may be less.
  static double at_least_a_little(double value) { return (std::max)(value, 0.01); }

  const results& from_;
  measured_machine made_;
};

using testing::machine;

/// A kind of neighbor that the machine does not have costs what the nearest kind before it costs.
void take_distances(assembly& to) {
  struct kind {
    std::string_view key;
    double machine::*member;
  };
  constexpr kind kinds[] = {{"same_cache", &machine::same_cache},
                            {"same_node", &machine::same_node},
                            {"other_node", &machine::other_node}};
  const kind* known = nullptr;
  for (const kind& each : kinds) {
    if (to.from().find(each.key) != nullptr) known = &each;
    if (known == &each) {
      to.take(each.key, each.member, to.made().prices.access);
    } else if (known != nullptr) {
      to.set(each.key, each.member, to.made().prices.*known->member,
             fmt::format("as {}: there are no such neighbors here", known->key));
    } else {
      to.assume(each.key);
    }
  }
  // Without neighbors in a cache: what the nearest others cost is closer than a guess
  if (to.from().find("same_cache") == nullptr && known != nullptr)
    to.made().prices.same_cache = (std::min)(machine{}.same_cache, to.made().prices.same_node);
}

void take_memory(assembly& to, const core_layout& of) {
  to.take("access", &machine::access);
  const double access = to.made().prices.access;
  const double locked = to.from().median("locked", access + machine{}.modify);
  to.set("modify", &machine::modify, locked - access,
         fmt::format("measured: {:.3g} ns for fetch_add in a row, less an access", locked));
  take_distances(to);
  to.take("memory", &machine::memory);
  const double node_line = to.from().median("node line", 64 / machine{}.bytes_per_ns);
  to.set("bytes_per_ns", &machine::bytes_per_ns, 64 / node_line,
         fmt::format("measured: {} cores read 256 MiB", of.first_node.size()));
  const double core_line = to.from().median("core line", node_line);
  to.set(
      "lines_at_once", &machine::lines_at_once, to.made().prices.memory / core_line,
      fmt::format("measured: memory by the {:.3g} ns that a line takes a core that reads 256 MiB",
                  core_line));
  to.take("pause", &machine::pause);
  to.take("clock", &machine::clock);
}

/// A time slice, as the kernel says it, in nanoseconds; 0 if it does not.
double time_slice_ns() {
  timespec length{};
  if (::sched_rr_get_interval(0, &length) != 0) return 0;
  return static_cast<double>(length.tv_sec) * 1e9 + static_cast<double>(length.tv_nsec);
}

void take_kernel(assembly& to, const core_layout& of) {
  to.take("heavy_fence", &machine::heavy_fence);
  if (to.from().find("fence beside") != nullptr) {
    const double beside = to.from().median("fence beside", 0);
    const auto others = static_cast<double>(of.cores.size() - 1);
    to.set("heavy_fence_core", &machine::heavy_fence_core,
           (beside - to.made().prices.heavy_fence) / others,
           fmt::format("measured: {:.4g} ns while all cores run threads of the process, less "
                       "heavy_fence, by {:g}",
                       beside, others));
  } else {
    to.assume("heavy_fence_core");
  }
  to.take("interrupt", &machine::interrupt);
  to.take("wake", &machine::wake);
  to.take("wake_latency", &machine::wake_latency);
  to.take("context_switch", &machine::context_switch);
  to.take("sleep", &machine::sleep, to.made().prices.context_switch, "to next");
  to.set("timer_latency", &machine::timer_latency,
         to.from().median("timer", 0) - to.made().prices.sleep,
         "measured: futex waits for 200 us, less the 200 us and sleep");
  if (const double slice = time_slice_ns(); slice > 0)
    to.set("time_slice", &machine::time_slice, slice, "the kernel says: sched_rr_get_interval");
  else
    to.assume("time_slice");
  to.take("start_thread", &machine::start_thread);
}

template <class Number>
Number one_of_each(std::size_t all, std::size_t groups) {
  return static_cast<Number>((std::max)(std::size_t{1}, all / groups));
}

}  // namespace

core_layout::core_layout(const topo::machine& of)
    : nodes{(std::max)(1U, of.numa_node_count())},
      caches_per_node{one_of_each<unsigned>(of.cache_count(), nodes)},
      cores_per_cache{one_of_each<unsigned>(of.core_count(), nodes * caches_per_node)},
      is_regular{nodes * caches_per_node * cores_per_cache == of.core_count()} {
  std::set<unsigned> seen;
  for (const topo::cpu& each : of.cpus()) {
    if (!seen.insert(each.core).second) continue;
    cores.push_back(each);
    if (each.numa_node == cores.front().numa_node) first_node.push_back(each.os_index);
  }
}

measured_machine measure_machine(const topo::machine& on) {
  const core_layout layout{on};
  const bound_to first{layout.cores.front().os_index};
  std::vector<probe> probes = memory_probes(layout);
  std::ranges::move(kernel_probes(layout), std::back_inserter(probes));
  const results all{std::move(probes)};
  assembly made{all};
  machine& prices = made.made().prices;
  prices.nodes = layout.nodes;
  prices.caches_per_node = layout.caches_per_node;
  prices.cores_per_cache = layout.cores_per_cache;
  for (const char* const key : {"nodes", "caches_per_node", "cores_per_cache"}) {
    made.made().sources[key] =
        on.source() + (layout.is_regular ? "" : ", rounded down: not all of them are alike");
  }
  take_memory(made, layout);
  take_kernel(made, layout);
  return made.made();
}

}  // namespace filch::cli
