#include <filch/topo/cgroup_parse.hpp>

#include <filch/topo/scan.hpp>

#include <algorithm>
#include <limits>

namespace filch::inline v0_2::topo {
namespace {

std::vector<std::string> split_strings(std::string_view text) {
  const auto parts = split(text, ',');
  return {parts.begin(), parts.end()};
}

std::optional<cpu_quota> checked(std::optional<std::uint64_t> quota_us,
                                 std::optional<std::uint64_t> period_us) {
  if (!quota_us || !period_us || *quota_us == 0 || *period_us == 0) {
    return std::nullopt;
  }
  return cpu_quota{quota_us, *period_us};
}

/// One line is "hierarchy:controllers:path"; in v2 it is "0::path". The path may contain colons.
std::optional<cgroup_membership> parse_membership(std::string_view line) {
  const std::size_t controllers_at = line.find(':') + 1;
  const std::size_t path_at = controllers_at == 0 ? 0 : line.find(':', controllers_at) + 1;
  if (path_at == 0 || !line.substr(path_at).starts_with('/')) {
    return std::nullopt;
  }
  const auto hierarchy = parse_number<unsigned>(line.substr(0, controllers_at - 1));
  const std::string_view controllers = line.substr(controllers_at, path_at - 1 - controllers_at);
  const std::string path{line.substr(path_at)};
  if (!hierarchy || (*hierarchy == 0) != controllers.empty()) {
    return std::nullopt;
  }
  return *hierarchy == 0 ? cgroup_membership{cgroup_version::v2, {}, path}
                         : cgroup_membership{cgroup_version::v1, split_strings(controllers), path};
}

bool is_octal(std::string_view digits) {
  return digits.size() == 3 && digits[0] <= '3' &&
         std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '7'; });
}

/// The kernel writes space, tab, newline, backslash and '#' in a path as "\040" and so on.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view digits = text[i] == '\\' ? text.substr(i + 1, 3) : std::string_view{};
    if (is_octal(digits)) {
      plain +=
          static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0'));
      i += digits.size();
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// A line is "id parent device root mount_point options optional... - type source super_options";
/// the source may be empty.
struct mount_fields {
  std::string_view root, mount_point, type, super_options;
};

std::optional<mount_fields> parse_mount_fields(std::string_view line) {
  const std::vector<std::string_view> fields = split(line, ' ');
  constexpr std::ptrdiff_t fixed = 6;
  if (fields.size() < static_cast<std::size_t>(fixed)) {
    return std::nullopt;
  }
  const auto dash = std::find(fields.begin() + fixed, fields.end(), "-");
  // More if a file system leaves a space in its options unescaped
  if (fields.end() - dash < 4) {
    return std::nullopt;
  }
  return mount_fields{fields[3], fields[4], dash[1], dash[3]};
}

bool begins_at_root(const mount_fields& mount) {
  return mount.root.starts_with('/') && mount.mount_point.starts_with('/');
}

}  // namespace

std::optional<cpu_quota> parse_cpu_max(std::string_view text) {
  const auto words = split(trimmed(text), ' ');
  if (words.size() != 2) {
    return std::nullopt;
  }
  const auto period_us = parse_number<std::uint64_t>(words[1]);
  if (words[0] == "max" && period_us) {
    return cpu_quota{std::nullopt, *period_us};
  }
  return checked(parse_number<std::uint64_t>(words[0]), period_us);
}

std::optional<cpu_quota> parse_cfs(std::string_view quota, std::string_view period) {
  const auto quota_us = parse_number<std::int64_t>(trimmed(quota));
  const auto period_us = parse_number<std::uint64_t>(trimmed(period));
  if (!quota_us || !period_us) {
    return std::nullopt;
  }
  if (*quota_us < 0) {
    return cpu_quota{std::nullopt, *period_us};
  }
  return checked(static_cast<std::uint64_t>(*quota_us), period_us);
}

std::optional<std::uint64_t> parse_throttled_ns(std::string_view text) {
  constexpr std::uint64_t most_us = std::numeric_limits<std::uint64_t>::max() / 1000;
  for (const std::string_view line : split_lines(text)) {
    const auto words = split(line, ' ');
    if (words.size() != 2) continue;
    const auto number = parse_number<std::uint64_t>(words[1]);
    if (words[0] == "throttled_time") return number;
    if (words[0] == "throttled_usec")
      return number && *number <= most_us ? std::optional{*number * 1000} : std::nullopt;
  }
  return std::nullopt;
}

parsed_lines<cgroup_membership> parse_proc_cgroup(std::string_view text) {
  parsed_lines<cgroup_membership> result;
  for (const std::string_view line : split_lines(text)) {
    if (auto membership = parse_membership(line)) {
      result.entries.push_back(std::move(*membership));
    } else {
      result.malformed.emplace_back(line);
    }
  }
  return result;
}

parsed_lines<cgroup_mount> parse_mountinfo(std::string_view text) {
  parsed_lines<cgroup_mount> result;
  for (const std::string_view line : split_lines(text)) {
    const auto mount = parse_mount_fields(line);
    if (!mount || (mount->type.starts_with("cgroup") && !begins_at_root(*mount))) {
      result.malformed.emplace_back(line);
    } else if (mount->type == "cgroup" || mount->type == "cgroup2") {
      result.entries.push_back({mount->type == "cgroup2" ? cgroup_version::v2 : cgroup_version::v1,
                                split_strings(mount->super_options), without_escapes(mount->root),
                                without_escapes(mount->mount_point)});
    }
  }
  return result;
}

}  // namespace filch::topo
