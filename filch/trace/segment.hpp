#pragma once
#include <filch/trace/layout.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace filch::inline v0_2::trace {

/// A mapped file; unmaps it at the end of its life.
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

/// The segment that this process writes: a file in shared memory, which other processes can read
/// and which stays after a crash.
///
/// Threads: one at a time.
/// Throws:  `std::system_error` naming the file, if the system refuses.
class own_segment {
 public:
  /// Makes the file anew, readable by its owner alone, and fills in what a reader needs. An
  /// existing file of that name was left by a dead process with our process id.
  explicit own_segment(std::string path);
  ~own_segment();
  own_segment(const own_segment&) = delete;
  own_segment& operator=(const own_segment&) = delete;

  segment_header& header() const noexcept { return *static_cast<segment_header*>(head_.data()); }
  /// The size of the rings added from now on, in records: a power of two.
  void set_ring_places(std::uint64_t places) noexcept { ring_places_ = places; }
  /// Gives `of` a ring, or a smaller one if the system has too little shared memory left. Its
  /// memory is allocated here, so a later store cannot fail. Returns false if not even a small one
  /// fits.
  bool add_ring(row& of) noexcept;
  ring ring_of(const row& of) const noexcept;
  counter_snapshot& snapshot_of(const row& of) const noexcept;
  /// Removes the file; the mappings stay.
  void unlink() noexcept;
  /// Call in the child of a fork(): the file is the parent's.
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

/// The segment of any process, mapped for reading. Reading touches nothing outside the file,
/// whatever lies in it. If another process truncates it meanwhile, the reader ends by SIGBUS.
class segment_view {
 public:
  /// Accepts only files of our own user, as any user may put a file there. Root also accepts one
  /// whose owner runs the process that it is named after; after that process's death only its user
  /// can read it.
  /// Throws: `std::system_error` naming the file; `std::runtime_error` if it is no segment of this
  /// version, or belongs to another user.
  explicit segment_view(const std::string& path);
  /// The same for a file that is open already, and stays open.
  segment_view(int file, const std::string& path);

  const segment_header& header() const noexcept {
    return *static_cast<const segment_header*>(all_.data());
  }
  std::size_t row_count() const noexcept;
  /// The ring of a row, or nothing if its place in the file makes no sense. Call once for a row:
  /// the writer of the file may change what it says.
  std::span<const word> words_of(const row& of) const noexcept;
  /// The counter snapshot before that ring, or null.
  const counter_snapshot* snapshot_of(const row& of) const noexcept;
  /// The owner of the file.
  std::uint32_t user() const noexcept { return user_; }
  /// Whether the process that wrote it still runs.
  bool is_alive() const;

 private:
  mapping all_;
  std::uint32_t user_ = 0;
};

/// The path of the segment of a process.
std::string segment_path(std::int64_t process_id);
/// The ids of the processes, alive or dead, that have a segment here, ascending.
std::vector<std::int64_t> segments_present();
/// Removes the spool and the segment that a dead process left.
void remove_segment(std::int64_t process_id) noexcept;
/// Does so for all of our user's processes whose segment is older than an hour.
void remove_stale_segments() noexcept;

}  // namespace filch::trace
