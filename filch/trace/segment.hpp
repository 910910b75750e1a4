#pragma once
#include <filch/trace/layout.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace filch::trace {

/// Memory that a file stands behind, mapped as long as this lives.
class mapping {
 public:
  mapping() noexcept = default;
  mapping(void* data, std::size_t bytes) noexcept : data_{data}, bytes_{bytes} {}
  mapping(mapping&& other) noexcept
      : data_{std::exchange(other.data_, nullptr)}, bytes_{std::exchange(other.bytes_, 0)} {}
  mapping& operator=(mapping&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~mapping();
  void* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The segment that this process writes: a file in shared memory, so that others can read it, and
/// that stays when the process crashes.
///
/// Threads: one at a time.
/// Throws:  `std::system_error` naming the file, where the system refuses.
class own_segment {
 public:
  /// Makes the file anew, for its owner alone, and fills in what a reader needs. A file of the same
  /// name is one that a dead process of our number has left.
  explicit own_segment(std::string path);
  ~own_segment();
  own_segment(const own_segment&) = delete;
  own_segment& operator=(const own_segment&) = delete;

  segment_header& header() const noexcept { return *static_cast<segment_header*>(head_.data()); }
  /// How big the next rings shall be, in records: a power of two.
  void set_ring_places(std::uint64_t places) noexcept { ring_places_ = places; }
  /// Gives `of` a ring, or a smaller one where the system has not so much shared memory left. Its
  /// memory is there from now on: a later store cannot fail for want of it. False: not even a small
  /// one.
  bool add_ring(row& of) noexcept;
  ring ring_of(const row& of) const noexcept;
  counter_snapshot& tally_of(const row& of) const noexcept;
  /// Removes the file; what is mapped stays.
  void unlink() noexcept;
  /// In the child of a fork(): the file is the parent's.
  void forget() noexcept { path_.clear(); }
  const std::string& path() const noexcept { return path_; }
  int file() const noexcept { return file_; }

 private:
  char* memory_of(const row& of) const noexcept;

  std::string path_;
  int file_ = -1;
  mapping head_;
  std::vector<mapping> rings_;
  std::size_t bytes_ = 0;
  std::uint64_t ring_places_ = 0;
};

/// Another process's segment, or our own, mapped to be read. Whatever lies in the file, reading it
/// touches nothing outside.
class segment_view {
 public:
  /// The file is ours, or, where we are root, of who runs the process that it is named after:
  /// anybody may put a file there.
  /// Throws: `std::system_error` naming the file; `std::runtime_error` where it is no segment of
  /// this version, or a stranger's.
  explicit segment_view(const std::string& path);
  /// The same of a file that is open already, and stays open.
  segment_view(int file, const std::string& path);

  const segment_header& header() const noexcept {
    return *static_cast<const segment_header*>(all_.data());
  }
  std::size_t row_count() const noexcept;
  /// The ring of a row, or nothing where its place in the file makes no sense. Ask once: who writes
  /// the file may change what it says.
  std::span<const word> words_of(const row& of) const noexcept;
  /// What stands before that, or null.
  const counter_snapshot* tally_of(const row& of) const noexcept;
  /// Whose file it is.
  std::uint32_t user() const noexcept { return user_; }
  /// Whether the process that wrote it still runs.
  bool is_alive() const;

 private:
  mapping all_;
  std::uint32_t user_ = 0;
};

/// Where the segment of a process is.
std::string segment_path(std::int64_t process_id);
/// The numbers of the processes that have left or have a segment here, ascending.
std::vector<std::int64_t> segments_present();
/// Removes what a dead process left: its spool, and its segment.
void remove_segment(std::int64_t process_id) noexcept;
/// Removes what dead processes left here more than an hour ago.
void remove_stale_segments() noexcept;

}  // namespace filch::trace
