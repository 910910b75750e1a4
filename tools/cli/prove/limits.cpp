// The same reader of limits on this machine, on a thread that is bound to one processor, and on
// files that say what a container's say.
#include <filch/base/scratch_folder.hpp>
#include <filch/topo/cpu_budget.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/report.hpp>

#include <thread>

namespace filch::cli::prove {

namespace {

/// What a thread finds that may run on the first processor of this one's only.
unsigned workers_when_bound() {
  unsigned workers = 0;
  std::thread{[&] {
    topo::pin_current_thread(topo::current_affinity().front());
    workers = topo::read_budget().workers;
  }}.join();
  return workers;
}

/// A machine of 16 processors, and a group on it with a quota.
class container {
 public:
  container() {
    files_.write("sys/devices/system/cpu/online", "0-15\n");
    files_.write("proc/self/cgroup", "0::/box/job\n");
    files_.write("proc/self/mountinfo", "30 22 0:26 / /cg rw - cgroup2 cgroup2 rw\n");
    files_.write("cg/box/job/cgroup.procs", "1\n");
  }
  void allow(const std::string& quota) { files_.write("cg/box/cpu.max", quota + " 100000\n"); }
  topo::budget_paths paths() const {
    std::vector<unsigned> all(16);
    for (unsigned i = 0; i != 16; ++i) all[i] = i;
    return {.root = files_.string(), .affinity = all};
  }

 private:
  base::scratch_folder files_;
};

}  // namespace

proof limits_are_kept() {
  const topo::budget here = topo::read_budget();
  const unsigned bound = workers_when_bound();
  container box;
  box.allow("250000");
  topo::budget_watch watch{box.paths()};
  const unsigned small = watch.current().workers;
  box.allow("800000");
  const bool noticed = watch.refresh();
  const unsigned large = watch.current().workers;
  return {bound == 1 && small == 2 && noticed && large == 8,
          fmt::format("Here {} ({} decides); bound to one processor {}. On 16 processors, in a "
                      "group whose parent may use 2.5 of them, {}; "
                      "after its quota is raised to 8, while it runs, {}.",
                      count_text(here.workers, "workers"), topo::name_of(here.why().kind), bound,
                      small, large)};
}

}  // namespace filch::cli::prove
