#include <filch/testing/machine/scale.hpp>

#include <filch/base/panic.hpp>
#include <filch/sched/pool/metrics.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/testing/machine/virtual_machine.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace filch::inline v0_2::testing {
namespace {

constexpr std::size_t most_hot_lines = 10;

std::vector<hot_line> hot_lines(const coherence& caches, double core_time) {
  std::vector<hot_line> all;
  for (const auto& [address, each] : caches.hottest(most_hot_lines)) {
    hot_line& made = all.emplace_back();
    made.share = static_cast<double>(each->waited) / core_time;
    made.waited_ns = each->waited / 1000;
    std::vector<line_wait> waits = each->waits;
    std::ranges::stable_sort(waits, std::greater{}, &line_wait::waited);
    for (const line_wait& wait : waits)
      made.places.push_back({wait.what, wait.where.function, wait.where.file, wait.where.line,
                             wait.waited / 1000, wait.count});
  }
  return all;
}

/// What `body` did in its last run.
void measure(virtual_machine& on, const std::function<void()>& body, const scale_options& with,
             scale_point& into) {
  thread_pool pool{{.seed = with.seed}};
  on.default_pool = &pool;
  for (unsigned i = 0; i < with.warm_ups; ++i) body();
  const worker_metrics before = pool.metrics().total;
  on.caches().forget_waits();
  const machine_times begin = on.times();
  body();
  const machine_times took = on.times() - begin;
  const host_scope real;
  into.hottest = hot_lines(on.caches(), static_cast<double>(took.running));
  const worker_metrics after = pool.metrics().total;
  into.ns = took.length / 1000;
  into.cpu_ns = took.running / 1000;
  into.spent_ns = took.spent / 1000;
  into.waited_ns = took.waited / 1000;
  into.paused_ns = took.paused / 1000;
  into.accesses = took.accesses;
  into.steals_tried = after.steals_tried - before.steals_tried;
  into.steals_won = after.steals_won - before.steals_won;
  into.parks = after.parks - before.parks;
  into.wakes = after.wakes_sent - before.wakes_sent;
}

scale_point run_once(const std::function<void()>& body, const machine& on, unsigned workers,
                     const scale_options& with) {
  auto threads = std::make_unique<host_threads>();
  auto simulated = std::make_unique<virtual_machine>(*threads, on, workers, with.seed);
  scale_point made;
  made.workers = workers;
  const std::function<void()> whole = [&] { measure(*simulated, body, with, made); };
  simulated->run(whole);
  if (simulated->leaves_threads()) {
    const std::string failure = simulated->failure();
    // Their threads sleep for ever and still read them
    static_cast<void>(simulated.release());
    static_cast<void>(threads.release());
    throw std::runtime_error("filch: " + std::to_string(workers) + " workers on " + on.name + ": " +
                             failure);
  }
  return made;
}

}  // namespace

std::vector<scale_point> scale(const std::function<void()>& body, const machine& on,
                               std::span<const unsigned> workers, const scale_options& with) {
  FILCH_ASSERT(base::current_simulation() == nullptr, "testing::scale does not nest", 0);
  if (on.cores() == 0 || on.cores() > most_cores) {
    throw std::invalid_argument("filch: machine " + on.name + " has " + std::to_string(on.cores()) +
                                " cores; 1 to " + std::to_string(most_cores) + " can be simulated");
  }
  std::vector<scale_point> all;
  for (const unsigned each : workers) all.push_back(run_once(body, on, each, with));
  return all;
}

}  // namespace filch::testing
