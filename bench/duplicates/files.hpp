#pragma once
// What the search for duplicates asks of the file system: which files there are, how each begins,
// whether two are equal.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace bench::duplicates {

/// What the file system says about a regular file. Two names of one file have the same `identity`.
struct file {
  std::filesystem::path path;
  std::uint64_t size = 0;
  std::pair<std::uint64_t, std::uint64_t> identity;  ///< Device and inode.
};

struct unreadable {
  std::filesystem::path path;
  std::error_code reason;
};

struct listing {
  std::vector<file> files;
  std::vector<std::filesystem::path> folders;
  std::vector<unreadable> failures;
};

inline std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

/// Adds what `path` is to `found`: a file or a folder. Symbolic links, devices, pipes and sockets
/// are passed over.
inline void look_at(const std::filesystem::path& path, listing& found) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0) {
    found.failures.push_back({path, last_error()});
  } else if (S_ISREG(status.st_mode)) {
    found.files.push_back(
        {path, static_cast<std::uint64_t>(status.st_size), {status.st_dev, status.st_ino}});
  } else if (S_ISDIR(status.st_mode)) {
    found.folders.push_back(path);
  }
}

/// Lists one folder, without what is below it.
inline listing list_folder(const std::filesystem::path& folder) {
  listing found;
  std::error_code failure;
  std::filesystem::directory_iterator entry{folder, failure};
  for (; !failure && entry != std::filesystem::directory_iterator{}; entry.increment(failure))
    look_at(entry->path(), found);
  if (failure) found.failures.push_back({folder, failure});
  return found;
}

/// Reads a file front to back. After a failure `error()` says why, and there is nothing more to
/// read.
class file_reader {
 public:
  explicit file_reader(const std::filesystem::path& path)
      : descriptor_{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)} {
    if (descriptor_ < 0) error_ = last_error();
  }
  file_reader(const file_reader&) = delete;
  file_reader& operator=(const file_reader&) = delete;
  ~file_reader() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  /// Fills `buffer` as far as the file goes and returns the part that was filled.
  std::span<char> read(std::span<char> buffer) {
    std::size_t filled = 0;
    while (!error_ && filled < buffer.size()) {
      const ::ssize_t count = ::read(descriptor_, buffer.data() + filled, buffer.size() - filled);
      if (count == 0) break;
      if (count > 0) {
        filled += static_cast<std::size_t>(count);
      } else if (errno != EINTR) {
        error_ = last_error();
      }
    }
    return buffer.first(filled);
  }

  std::error_code error() const noexcept { return error_; }

 private:
  int descriptor_;
  std::error_code error_;
};

/// A page: costs the disk no more than one byte does.
inline constexpr std::size_t head_bytes = 4096;
/// How much of each of two files is compared at a time.
inline constexpr std::uint64_t chunk_bytes = 128 * 1024;

struct head {
  std::uint64_t fingerprint = 0;
  std::error_code error;
};

/// Fingerprints the first page of a file: files that differ in it differ; the others must be
/// compared.
inline head read_head(const file& f) {
  std::array<char, head_bytes> buffer;
  file_reader reader{f.path};
  const std::span<const char> bytes = reader.read(buffer);
  return {std::hash<std::string_view>{}({bytes.data(), bytes.size()}), reader.error()};
}

struct comparison {
  bool equal = false;
  std::error_code left_error;
  std::error_code right_error;
};

/// Compares two files of the same size byte by byte, up to the first difference.
inline comparison compare_content(const file& left, const file& right) {
  file_reader left_reader{left.path}, right_reader{right.path};
  std::vector<char> memory(2 * std::min(chunk_bytes, left.size + 1));
  const std::span<char> all{memory};
  const std::size_t half = memory.size() / 2;
  for (;;) {
    const std::span<const char> a = left_reader.read(all.first(half)),
                                b = right_reader.read(all.last(half));
    if (left_reader.error() || right_reader.error())
      return {false, left_reader.error(), right_reader.error()};
    if (!std::ranges::equal(a, b)) return {};
    if (a.size() < half) return {true, {}, {}};
  }
}

}  // namespace bench::duplicates
