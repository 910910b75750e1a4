#include <filch/topo/cpu_budget.hpp>

#include <filch/base/text_file.hpp>
#include <filch/topo/cpu_list.hpp>
#include <filch/topo/machine_sources.hpp>
#include <filch/topo/scan.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace filch::inline v0_2::topo {
namespace {

constexpr const char* malformed = "malformed, so counted as no limit: ";

std::string in_quotes(std::string_view text) { return "\"" + std::string{text} + "\""; }

unsigned at_least_one(std::uint64_t count) {
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(count, 1, std::numeric_limits<unsigned>::max()));
}

/// Collects limits and problems, source by source.
class collector {
 public:
  collector(const std::string& root, std::vector<budget_problem> problems) : root_{root} {
    result_.problems = std::move(problems);
  }

  void add_online() {
    const std::string path = root_ + "/sys/devices/system/cpu/online";
    if (!add_list(limit_kind::online, path)) {
      const std::size_t count = read_count().cpus().size();
      add_count(limit_kind::online, count, "sysconf(_SC_NPROCESSORS_ONLN)", std::to_string(count));
    }
  }

  void add_affinity(const std::optional<std::vector<unsigned>>& cpus) {
    if (cpus) {
      add_count(limit_kind::affinity, cpus->size(), "affinity mask", format_cpu_list(*cpus));
    } else {
      result_.problems.push_back({"affinity mask", "cannot be asked for on this system"});
    }
  }

  void add_group(const cgroup_directory& group) {
    const std::string folder = root_ + group.path;
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored)) {
      result_.problems.push_back({folder, "no such control group any more"});
      return;
    }
    switch (group.files) {
      case cgroup_files::v1_cpu: add_cfs(folder); break;
      case cgroup_files::v1_cpuset: add_list(limit_kind::cpuset, folder + "/cpuset.cpus"); break;
      case cgroup_files::v2:
        add_cpu_max(folder + "/cpu.max");
        add_list(limit_kind::cpuset, folder + "/cpuset.cpus.effective");
        break;
    }
  }

  budget finish() && {
    const auto smallest = std::ranges::min_element(result_.limits, {}, &cpu_limit::workers);
    result_.winner = static_cast<std::size_t>(smallest - result_.limits.begin());
    result_.workers = smallest->workers;
    return std::move(result_);
  }

 private:
  /// A missing file means that its controller is off in this group, which is no problem.
  std::optional<std::string> read(const std::string& path) {
    base::file_text file = base::read_text(path);
    if (!file.error) {
      return std::move(file.text);
    }
    if (file.error != std::errc::no_such_file_or_directory) {
      result_.problems.push_back({path, file.error.message()});
    }
    return std::nullopt;
  }

  void add_count(limit_kind kind, std::size_t count, std::string source, std::string text) {
    result_.limits.push_back({kind, static_cast<double>(count), at_least_one(count),
                              std::move(source), std::move(text)});
  }

  /// Returns false if the list limits nothing. An empty list does so by design: it was never set.
  bool add_list(limit_kind kind, const std::string& path) {
    const auto text = read(path);
    const auto cpus = text ? parse_cpu_list(*text) : std::nullopt;
    if (text && !cpus) {
      result_.problems.push_back({path, malformed + in_quotes(trimmed(*text))});
    }
    if (!cpus || cpus->empty()) {
      return false;
    }
    add_count(kind, cpus->size(), path, format_cpu_list(*cpus));
    return true;
  }

  void add_cpu_max(const std::string& path) {
    if (const auto text = read(path)) {
      add_quota(parse_cpu_max(*text), path, *text);
    }
  }

  void add_cfs(const std::string& folder) {
    const std::string path = folder + "/cpu.cfs_quota_us";
    if (const auto quota = read(path)) {
      const std::string period = read(folder + "/cpu.cfs_period_us").value_or("");
      add_quota(parse_cfs(*quota, period), path, std::string{trimmed(*quota)} + " " + period);
    }
  }

  void add_quota(const std::optional<cpu_quota>& quota, const std::string& path,
                 std::string_view text) {
    if (!quota) {
      result_.problems.push_back({path, malformed + in_quotes(trimmed(text))});
    } else if (quota->quota_us) {
      const double cpus =
          static_cast<double>(*quota->quota_us) / static_cast<double>(quota->period_us);
      const unsigned workers = at_least_one(*quota->quota_us / quota->period_us);
      result_.limits.push_back(
          {limit_kind::quota, cpus, workers, path, std::string{trimmed(text)}});
    }
  }

  const std::string& root_;
  budget result_;
};

}  // namespace

std::string_view name_of(limit_kind kind) noexcept {
  switch (kind) {
    case limit_kind::online: return "CPUs online";
    case limit_kind::affinity: return "affinity";
    case limit_kind::cpuset: return "cpuset";
    case limit_kind::quota: return "quota";
  }
  return "unknown";
}

budget_watch::budget_watch(budget_paths paths)
    : paths_{std::move(paths)}, thread_{current_thread()} {
  refresh();
}

bool budget_watch::refresh() {
  ask_affinity();
  find_groups();
  budget fresh = read();
  const bool changed = fresh != current_;
  current_ = std::move(fresh);
  return changed;
}

void budget_watch::ask_affinity() noexcept {
  try {
    affinity_ = paths_.affinity ? *paths_.affinity : affinity_of(thread_);
  } catch (const std::exception&) {
    // The thread has ended, or a sandbox forbids the call: the last known mask stays.
  }
}

void budget_watch::find_groups() {
  const std::string own_path = paths_.root + "/proc/self/cgroup";
  const base::file_text own = base::read_text(own_path);
  if (own.error) {
    cgroups_ = {{}, {{own_path, own.error.message()}}};
    proc_cgroup_.clear();
    return;
  }
  if (own.text == proc_cgroup_) {
    return;
  }
  const std::string mounts_path = paths_.root + "/proc/self/mountinfo";
  const base::file_text mounts = base::read_text(mounts_path);
  cgroups_ = locate_cgroups(own.text, mounts.text);
  if (mounts.error) {
    cgroups_.problems.push_back({mounts_path, mounts.error.message()});
    proc_cgroup_.clear();  // so that the next refresh tries again
    return;
  }
  proc_cgroup_ = own.text;
}

budget budget_watch::read() const {
  collector found{paths_.root, cgroups_.problems};
  found.add_online();
  found.add_affinity(affinity_);
  for (const cgroup_directory& group : cgroups_.directories) {
    found.add_group(group);
  }
  return std::move(found).finish();
}

budget read_budget(const budget_paths& paths) { return budget_watch{paths}.current(); }

unsigned processors(const budget_paths& paths) {
  unsigned least = max_workers;
  for (const cpu_limit& each : read_budget(paths).limits) {
    if (each.kind != limit_kind::quota) least = std::min(least, each.workers);
  }
  return least;
}

std::optional<unsigned> workers_from_environment() {
  const char* value = std::getenv("FILCH_WORKERS");
  if (value == nullptr || *value == '\0') {
    return std::nullopt;
  }
  const auto workers = parse_number<unsigned>(value);
  if (!workers || *workers > max_workers) {
    throw std::invalid_argument{"FILCH_WORKERS=" + in_quotes(value) +
                                " is not a number of workers: 0 for automatic, or 1 to " +
                                std::to_string(max_workers)};
  }
  return *workers == 0 ? std::nullopt : workers;
}

}  // namespace filch::topo
