#pragma once
// Counts the words of a tree of files: reading, splitting and hash tables, over files of very
// unequal length. A table for each worker, which are joined in the end. A word is a run of ASCII
// letters, whatever their case; a file with a zero byte in its first page is not text.
#include <bench/duplicates/files.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bench::words {

using duplicates::file, duplicates::file_reader, duplicates::listing;

inline constexpr std::size_t chunk_bytes = 64 * 1024;
inline constexpr std::size_t page_bytes = 4096;

/// Lets a table be asked for a `std::string_view` without making a string of it.
struct word_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view word) const noexcept {
    return std::hash<std::string_view>{}(word);
  }
};

/// What one worker has counted.
struct tally {
  std::unordered_map<std::string, std::uint64_t, word_hash, std::equal_to<>> words;
  std::uint64_t text_files = 0;

  void add(std::string_view word, std::uint64_t times) {
    const auto known = words.find(word);
    if (known != words.end()) {
      known->second += times;
    } else {
      words.emplace(word, times);
    }
  }
  /// Adds what another worker has counted, the smaller table to the larger one.
  void join(tally&& other) {
    if (words.size() < other.words.size()) std::swap(*this, other);
    text_files += other.text_files;
    for (const auto& [word, times] : other.words) add(word, times);
  }
  bool operator==(const tally&) const = default;
};

/// 'a' to 'z' for a letter of either case, zero for everything else.
inline constexpr std::array<char, 256> letters = [] {
  std::array<char, 256> table{};
  for (std::size_t i = 0; i < 26; ++i) table['a' + i] = table['A' + i] = static_cast<char>('a' + i);
  return table;
}();

/// Splits text that arrives in chunks.
class splitter {
 public:
  explicit splitter(tally& counted) : counted_{counted} {}

  void take(std::span<const char> text) {
    for (const char each : text) {
      if (const char letter = letters[static_cast<unsigned char>(each)]; letter != 0) {
        word_.push_back(letter);
      } else {
        end_word();
      }
    }
  }
  void end_word() {
    if (!word_.empty()) counted_.add(word_, 1);
    word_.clear();
  }

 private:
  tally& counted_;
  std::string word_;
};

/// Counts one file. One that cannot be read, or is not text, counts as none.
inline void count_file(const file& f, tally& counted) {
  file_reader reader{f.path};
  std::vector<char> buffer(std::min<std::size_t>(chunk_bytes, f.size + 1));
  std::span<const char> text = reader.read(buffer);
  if (reader.error() || std::ranges::count(text.first(std::min(text.size(), page_bytes)), '\0') > 0)
    return;
  ++counted.text_files;
  splitter split{counted};
  for (; !text.empty();
       text = text.size() < buffer.size() ? std::span<const char>{} : reader.read(buffer))
    split.take(text);
  split.end_word();
}

/// All regular files below a folder. Throws: `std::invalid_argument` if it is none that can be
/// listed.
inline std::vector<file> files_below(const std::filesystem::path& root) {
  std::vector<file> files;
  for (std::deque<std::filesystem::path> folders{root}; !folders.empty(); folders.pop_front()) {
    listing found = duplicates::list_folder(folders.front());
    if (!found.failures.empty() && folders.front() == root)
      throw std::invalid_argument("'" + root.string() + "' is no folder that can be listed");
    files.insert(files.end(), found.files.begin(), found.files.end());
    folders.insert(folders.end(), found.folders.begin(), found.folders.end());
  }
  return files;
}

inline tally serial(const std::vector<file>& files) {
  tally counted;
  for (const file& each : files) count_file(each, counted);
  return counted;
}

/// Says what is wrong with `counted`; empty when nothing.
inline std::string check(const tally& expected, const tally& counted) {
  if (counted == expected) return {};
  const auto text = [](const tally& t) {
    std::uint64_t total = 0;
    for (const auto& [word, times] : t.words) total += times;
    return std::to_string(total) + " words in " + std::to_string(t.text_files) + " files, " +
           std::to_string(t.words.size()) + " of them different";
  };
  return "there are " + text(expected) + ", not " + text(counted);
}

}  // namespace bench::words
