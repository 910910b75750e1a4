// `filch-scale-real`: the same workloads on the machine as it is, for `filch-scale --validate`.
// Prints the nanoseconds of each run as one line of JSON.
#include <CLI/CLI.hpp>
#include <filch/base/clock.hpp>
#include <filch/fork.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/scale/workload.hpp>

#include <exception>

namespace filch::scaling {

namespace {

struct request {
  std::string workload;
  std::uint64_t size = 0;
  unsigned workers = 1;
  unsigned repeats = 11;
  bool is_serial = false;
};

/// The time of one run. The first ones are not told: they start threads and fill caches.
std::uint64_t time_of(const prepared& ready, bool is_serial) {
  ready.reset();
  const std::uint64_t begin = base::now_ns();
  (is_serial ? ready.serial : ready.body)();
  const std::uint64_t took = base::now_ns() - begin;
  return is_serial || !ready.timed_ns ? took : ready.timed_ns();
}

int run(const request& asked) {
  const workload& what = find_workload(asked.workload);
  const prepared ready = what.make(asked.size != 0 ? asked.size : what.small_size);
  if (asked.is_serial && !ready.serial)
    throw std::invalid_argument(asked.workload + " does nothing without the scheduler");
  configure_default_pool({.workers = asked.workers});
  default_pool().warm_up();
  nlohmann::json times = nlohmann::json::array();
  constexpr unsigned warm_ups = 2;
  for (unsigned i = 0; i < warm_ups + asked.repeats; ++i) {
    const std::uint64_t ns = time_of(ready, asked.is_serial);
    if (i >= warm_ups) times.push_back(ns);
  }
  const std::string wrong = asked.is_serial ? "" : ready.check();
  if (!wrong.empty()) throw std::runtime_error(asked.workload + ": " + wrong);
  fmt::print("{}\n", times.dump());
  return 0;
}

}  // namespace

}  // namespace filch::scaling

int main(int argc, char** argv) {
  CLI::App app{"filch-scale-real: times of workloads on this machine.", "filch-scale-real"};
  filch::scaling::request asked;
  app.add_option("WORKLOAD", asked.workload, "What runs")->required()->type_name("");
  app.add_option("--size", asked.size, "In place of the workload's small one");
  app.add_option("--workers", asked.workers, "Of the default pool");
  app.add_option("--repeats", asked.repeats, "How often it runs");
  app.add_flag("--serial", asked.is_serial, "Do the same work without the scheduler");
  try {
    app.parse(argc, argv);
    return filch::scaling::run(asked);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "filch-scale-real: {}\n", failure.what());
    return 1;
  }
}
