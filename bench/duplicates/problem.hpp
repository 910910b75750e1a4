#pragma once
// Finds files with equal content: by size, then by the first page, then byte by byte. Real
// directories, real waiting.
#include <bench/duplicates/files.hpp>
#include <bench/duplicates/search.hpp>
#include <bench/uts/sha1.hpp>

#include <map>
#include <string>

namespace bench::duplicates {

inline answer serial(const parameters& p, observer& watcher = no_observer()) {
  return search<one_by_one>{{}, watcher}(p);
}

/// The SHA-1 of the first `limit` bytes of a file, unless it cannot be read.
inline sha1_words digest(const file& f, std::uint64_t limit, std::error_code& failure) {
  file_reader reader{f.path};
  std::vector<char> chunk(static_cast<std::size_t>(std::min(limit, chunk_bytes)));
  sha1 hash;
  for (std::uint64_t done = 0; done < limit;) {
    const std::span<const char> bytes = reader.read(chunk);
    hash.update({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    done += bytes.size();
    if (bytes.size() < chunk.size()) break;
  }
  failure = reader.error();
  return hash.digest();
}

/// Splits files that agree in `Key` by the digest of their first `limit` bytes, and drops what is
/// then alone or unreadable.
template <class Key>
std::map<std::pair<Key, sha1_words>, std::vector<file>> split_by_digest(
    const std::map<Key, std::vector<file>>& classes, std::uint64_t limit, observer& watcher) {
  std::map<std::pair<Key, sha1_words>, std::vector<file>> finer;
  for (const auto& [key, members] : classes) {
    if (members.size() < 2) continue;
    for (const file& f : members) {
      std::error_code failure;
      const sha1_words hash = digest(f, limit, failure);
      watcher.step();
      if (!failure) finer[{key, hash}].push_back(f);
    }
  }
  return finer;
}

/// Says what is wrong with the groups of `found`, given its files; empty when nothing. Goes by
/// digests, compares no two files.
inline std::string check(const answer& found, observer& watcher = no_observer()) {
  watcher.begin("checking", 0);
  std::map<std::uint64_t, std::vector<file>> by_size;
  for (const file& f : found.files) by_size[f.size].push_back(f);
  // First path: all paths
  std::map<std::filesystem::path, std::vector<std::filesystem::path>> expected;
  const auto same_head = split_by_digest(by_size, head_bytes, watcher);
  for (const auto& [key, members] : split_by_digest(same_head, ~std::uint64_t{0}, watcher)) {
    if (members.size() < 2) continue;
    std::vector<std::filesystem::path>& paths = expected[members.front().path];
    for (const file& f : members) paths.push_back(f.path);
  }
  for (const group& g : found.groups) {
    const auto same = expected.find(g.paths.front());
    if (same == expected.end())
      return g.paths.front().string() + " has no duplicates, but was reported";
    if (same->second != g.paths)
      return "the duplicates of " + g.paths.front().string() + " are not those reported";
    expected.erase(same);
  }
  return expected.empty()
             ? std::string{}
             : "the duplicates of " + expected.begin()->first.string() + " were missed";
}

}  // namespace bench::duplicates
