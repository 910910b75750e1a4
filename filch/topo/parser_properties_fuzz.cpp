#include <filch/base/text_file.hpp>
#include <filch/base/text_property_fuzz.hpp>
#include <filch/topo/cgroup_locate.hpp>
#include <filch/topo/cpu_budget.hpp>
#include <filch/topo/cpu_list.hpp>
#include <filch/topo/cpu_mask.hpp>
#include <filch/topo/machine_sources.hpp>
#include <filch/topo/scan.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace filch::inline v0_2::topo {
namespace {

/// Separates the texts of properties that take two: the group's and the table of mounts, a quota
/// and its period.
constexpr std::string_view between_texts = "--\n";

std::pair<std::string_view, std::string_view> two_texts(std::string_view both) {
  const std::size_t at = both.find(between_texts);
  if (at == both.npos) return {both, {}};
  return {both.substr(0, at), both.substr(at + between_texts.size())};
}

std::string unless(bool holds, std::string what) { return holds ? std::string{} : std::move(what); }

/// What the parser accepts reads back from what the formatter writes, in order and below the limit.
/// A mask keeps it too.
std::string cpu_list(std::string_view text) {
  const auto cpus = parse_cpu_list(text);
  if (!cpus) return {};
  if (!std::ranges::is_sorted(*cpus) || std::ranges::adjacent_find(*cpus) != cpus->end())
    return "not ascending";
  if (!cpus->empty() && cpus->back() >= max_cpu_number) return "a CPU beyond the limit";
  if (parse_cpu_list(format_cpu_list(*cpus)) != cpus)
    return "reads back otherwise than " + format_cpu_list(*cpus);
  return unless(members_of(mask_of(*cpus)) == *cpus, "its mask has other members");
}

/// A quota can be divided by its period. v2 gives throttled time in microseconds.
std::string quota(std::string_view text) {
  const auto is_usable = [](const std::optional<cpu_quota>& parsed) {
    return !parsed || !parsed->quota_us || (*parsed->quota_us > 0 && parsed->period_us > 0);
  };
  const auto [first, second] = two_texts(text);
  const auto held_back_ns = parse_throttled_ns(text);
  if (held_back_ns && *held_back_ns % 1000 != 0 && text.find("throttled_time") == text.npos)
    return "a part of a microsecond";
  return unless(is_usable(parse_cpu_max(text)) && is_usable(parse_cfs(first, second)),
                "a quota that cannot be divided");
}

/// Only directories at or below a mount point are read, and no line is lost: it is an entry,
/// malformed, or of another kind.
std::string cgroups(std::string_view text) {
  const auto [own, table] = two_texts(text);
  const auto mounts = parse_mountinfo(table);
  const auto memberships = parse_proc_cgroup(own);
  if (memberships.entries.size() + memberships.malformed.size() != split_lines(own).size())
    return "a line of the groups is lost";
  if (mounts.entries.size() + mounts.malformed.size() > split_lines(table).size())
    return "more mounts than lines";
  for (const cgroup_directory& group : locate_cgroups(own, table).directories) {
    const bool below_one = std::ranges::any_of(mounts.entries, [&](const cgroup_mount& mount) {
      return mount.mount_point == "/" || group.path.starts_with(mount.mount_point);
    });
    if (!below_one) return group.path + " is below no mount point";
  }
  return {};
}

/// Split text can be joined again; a number reads back; trimming is idempotent.
std::string scan(std::string_view text) {
  std::string joined;
  for (const std::string_view part : split(text, ',')) {
    joined += (joined.empty() && part.data() == text.data() ? "" : ",") + std::string{part};
  }
  if (joined != text) return "splits into " + joined;
  if (std::ranges::any_of(split_lines(text),
                          [](std::string_view line) { return line.find('\n') != line.npos; }))
    return "a line with a newline";
  if (trimmed(trimmed(text)) != trimmed(text)) return "trims twice";
  const auto number = parse_number<std::int64_t>(text);
  return unless(!number || parse_number<std::int64_t>(std::to_string(*number)) == number,
                "a number that does not read back");
}

/// FILCH_WORKERS is nothing, a sensible number, or refused with its own value in the message.
std::string environment(std::string_view text) {
  const std::string value{text.substr(0, text.find('\0'))};
  ::setenv("FILCH_WORKERS", value.c_str(), 1);
  std::string wrong;
  try {
    const auto workers = workers_from_environment();
    wrong = unless(!workers || (*workers >= 1 && *workers <= max_workers),
                   "takes " + std::to_string(workers.value_or(0)) + " workers");
  } catch (const std::invalid_argument& refused) {
    wrong = unless(std::string_view{refused.what()}.find(trimmed(value)) != std::string_view::npos,
                   "does not name what it refuses");
  }
  ::unsetenv("FILCH_WORKERS");
  return wrong;
}

/// A root of a file system that is removed at the end of the process.
class scratch_root {
 public:
  scratch_root()
      : folder_{std::filesystem::temp_directory_path() /
                ("filch_parsers_" + std::to_string(::getpid()))} {}
  ~scratch_root() { std::filesystem::remove_all(folder_); }
  scratch_root(const scratch_root&) = delete;
  scratch_root& operator=(const scratch_root&) = delete;

  std::string path() const { return folder_.string(); }
  std::string write(const std::string& inside, std::string_view text) const {
    const std::filesystem::path target = folder_ / inside;
    std::filesystem::create_directories(target.parent_path());
    std::ofstream{target, std::ios::binary} << text;
    return target.string();
  }

 private:
  std::filesystem::path folder_;
};

const scratch_root& scratch() {
  static const scratch_root one;
  return one;
}

/// A file reads back as it was written.
std::string text_file(std::string_view text) {
  const base::file_text read = base::read_text(scratch().write("text", text));
  return unless(!read.error && read.text == text, "reads otherwise: " + read.text);
}

/// /sys with garbage in it gives a machine with the CPUs of the list, or none. The text is the
/// list, and all data of CPU 0.
std::string sysfs(std::string_view text) {
  const auto [online, rest] = two_texts(text);
  const std::string cpu = "sys/devices/system/cpu/";
  scratch().write(cpu + "online", online);
  for (const char* const file : {"cpu0/topology/core_id", "cpu0/topology/physical_package_id",
                                 "cpu0/topology/thread_siblings_list", "cpu0/cache/index0/level",
                                 "cpu0/cache/index0/size", "cpu0/cache/index0/shared_cpu_list"}) {
    scratch().write(cpu + file, rest);
  }
  const auto found = read_sysfs(scratch().path());
  const auto cpus = parse_cpu_list(online);
  return unless(!found || (cpus && found->cpus().size() <= cpus->size()),
                "has CPUs that are not online");
}

constexpr std::array<base::text_property, 7> all{{{"cpu_list", cpu_list},
                                                  {"quota", quota},
                                                  {"cgroups", cgroups},
                                                  {"scan", scan},
                                                  {"environment", environment},
                                                  {"text_file", text_file},
                                                  {"sysfs", sysfs}}};

}  // namespace
}  // namespace filch::topo

std::span<const filch::base::text_property> filch::base::text_properties() { return topo::all; }
