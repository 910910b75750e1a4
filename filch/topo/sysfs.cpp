#include <filch/base/text_file.hpp>
#include <filch/topo/cpu_list.hpp>
#include <filch/topo/machine_sources.hpp>
#include <filch/topo/scan.hpp>

#include <map>

namespace filch::inline v0_2::topo {
namespace {

/// Without the newline. Empty if the file cannot be read, for example because a CPU went offline
/// meanwhile.
std::string read_word(const std::string& path) {
  return std::string{trimmed(base::read_text(path).text)};
}

std::optional<std::vector<unsigned>> read_list(const std::string& path) {
  const base::file_text file = base::read_text(path);
  return file.error ? std::nullopt : parse_cpu_list(file.text);
}

/// The first CPU in the list of sharers names the thing that they share.
std::optional<unsigned> first_of(const std::string& path) {
  const auto cpus = read_list(path);
  return cpus && !cpus->empty() ? std::optional{cpus->front()} : std::nullopt;
}

/// "48K", "2048K", "16M"; zero for anything else.
std::size_t parse_size(std::string_view text) {
  const unsigned shift = text.ends_with('K')   ? 10
                         : text.ends_with('M') ? 20
                         : text.ends_with('G') ? 30
                                               : 0;
  text.remove_suffix(shift != 0 ? 1 : 0);
  return parse_number<std::size_t>(text).value_or(0) << shift;
}

struct cache_entry {
  std::string level, type;  ///< "3"; "Data", "Instruction", "Unified".
  std::size_t bytes;
  std::optional<unsigned> first_cpu;
};

std::vector<cache_entry> read_caches(const std::string& cpu_folder) {
  std::vector<cache_entry> caches;
  for (unsigned index = 0;; ++index) {
    const std::string folder = cpu_folder + "/cache/index" + std::to_string(index);
    const std::string level = read_word(folder + "/level");
    if (level.empty()) {
      return caches;
    }
    caches.push_back({level, read_word(folder + "/type"), parse_size(read_word(folder + "/size")),
                      first_of(folder + "/shared_cpu_list")});
  }
}

const cache_entry* find_data_cache(const std::vector<cache_entry>& caches, std::string_view level) {
  for (const cache_entry& cache : caches) {
    if (cache.level == level && cache.type != "Instruction") {
      return &cache;
    }
  }
  return nullptr;
}

cache_sizes sizes_of(const std::vector<cache_entry>& caches) {
  const auto bytes = [&](std::string_view level) {
    const cache_entry* cache = find_data_cache(caches, level);
    return cache != nullptr ? cache->bytes : 0;
  };
  return {.l1_data_bytes = bytes("1"), .l2_bytes = bytes("2"), .l3_bytes = bytes("3")};
}

std::optional<unsigned> shared_cache(const std::vector<cache_entry>& caches) {
  for (const char* level : {"3", "2"}) {
    if (const cache_entry* cache = find_data_cache(caches, level);
        cache != nullptr && cache->first_cpu) {
      return cache->first_cpu;
    }
  }
  return std::nullopt;
}

/// The node of each CPU. A kernel without NUMA has no folder of nodes, and a CPU without a node
/// counts as part of node 0.
std::map<unsigned, unsigned> read_nodes(const std::string& root) {
  std::map<unsigned, unsigned> node_of;
  const std::string folder = root + "/devices/system/node";
  for (const unsigned node : read_list(folder + "/online").value_or(std::vector<unsigned>{})) {
    const auto cpus = read_list(folder + "/node" + std::to_string(node) + "/cpulist");
    for (const unsigned cpu : cpus.value_or(std::vector<unsigned>{})) {
      node_of[cpu] = node;
    }
  }
  return node_of;
}

/// Older kernels have other names for the lists of a core and of a package. Both are tried, the new
/// one first.
cpu read_cpu(const std::string& folder, unsigned os_index, const std::vector<cache_entry>& caches) {
  const auto either = [&](const char* name, const char* old_name) {
    const auto first = first_of(folder + "/topology/" + name);
    return first ? first : first_of(folder + "/topology/" + old_name);
  };
  const unsigned core = either("core_cpus_list", "thread_siblings_list").value_or(os_index);
  return {.os_index = os_index,
          .core = core,
          .cache = shared_cache(caches).value_or(core),
          .package = either("package_cpus_list", "core_siblings_list").value_or(0)};
}

}  // namespace

std::optional<machine> read_sysfs(const std::string& root) {
  const std::string folder = root + "/devices/system/cpu";
  const auto online = read_list(folder + "/online");
  if (!online || online->empty()) {
    return std::nullopt;
  }
  const auto node_of = read_nodes(root);
  std::vector<cpu> cpus;
  cache_sizes sizes;
  for (const unsigned os_index : *online) {
    const std::string cpu_folder = folder + "/cpu" + std::to_string(os_index);
    const auto caches = read_caches(cpu_folder);
    sizes = cpus.empty() ? sizes_of(caches) : sizes;
    cpus.push_back(read_cpu(cpu_folder, os_index, caches));
    const auto node = node_of.find(os_index);
    cpus.back().numa_node = node != node_of.end() ? node->second : 0;
  }
  return machine{std::move(cpus), sizes, root};
}

}  // namespace filch::topo
