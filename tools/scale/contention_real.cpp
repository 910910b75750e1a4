// filch-contention-real: how long threads that fight for one cache line take here, as JSON: for
// each benchmark the nanoseconds of its runs. `compare_contention` calls it.
#include <filch/topo/affinity.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <tools/scale/contention_work.hpp>

#include <nlohmann/json.hpp>
#include <vector>

namespace {

const std::vector<unsigned>& cpus() {
  static const std::vector<unsigned> all = filch::topo::current_affinity();
  return all;
}

}  // namespace

int main() {
  using namespace filch::scaling;
  if (cpus().size() < 2) {
    fmt::print(stderr, "filch-contention-real: needs two processors\n");
    return 1;
  }
  bind_thread = [](unsigned thread) {
    filch::topo::pin_current_thread(cpus()[thread % cpus().size()]);
  };
  constexpr unsigned rounds = 200;
  auto all = nlohmann::json::object();
  for (unsigned round = 0; round < rounds; ++round) {
    for (const contention& each : contentions) {
      rusage before{}, after{};
      ::getrusage(RUSAGE_SELF, &before);
      const double ns = each.run(contention_times);
      ::getrusage(RUSAGE_SELF, &after);
      // A thread that lost its processor left the others without a rival
      const bool is_disturbed = after.ru_nivcsw != before.ru_nivcsw;
      nlohmann::json& of = all[each.name];
      of[is_disturbed ? "disturbed" : "ns"].push_back(ns);
    }
  }
  fmt::print("{}\n", all.dump());
}
