#pragma once
#include <filch/trace/layout.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace filch::inline v0_2::trace {

/// The head of a chunk: items of one ring, which follow it in the spool.
struct chunk_header {
  std::uint64_t number = 0;  ///< Of the chunk, from 1 on; 0: it is being written.
  std::uint64_t owner = 0;   ///< `row_owner` of the ring.
  std::uint64_t first = 0;   ///< Item of the ring.
  std::uint64_t count = 0;   ///< Of items.
};

constexpr std::size_t chunk_bytes(std::uint64_t items) noexcept {
  return sizeof(chunk_header) + items * sizeof(item);
}

/// The file in which the workers of this process keep what their rings are about to overwrite.
/// There is one in a process. It is never destroyed, and its descriptor stays the same, as a worker
/// may be writing when a recording ends.
///
/// Threads: `open` and `close` one at a time, with one recording after another; `keep` any.
class own_spool {
 public:
  static constexpr std::uint64_t most_chunk_items = 4096;
  static constexpr std::uint64_t fewest_chunks = 16;
  /// The items of a chunk, for a ring with so many places.
  static constexpr std::uint64_t chunk_items(std::uint64_t places) noexcept {
    return places / 2 < most_chunk_items ? places / 2 : most_chunk_items;
  }

  /// Makes the file, for its owner alone, and notes it in `header`. It holds `most_bytes`, but at
  /// least `fewest_chunks`; then the oldest chunks are overwritten. Makes none if `most_bytes` is 0
  /// or a file is open already. Returns 0, or the error: then nothing is kept.
  int open(const std::string& path, std::uint64_t most_bytes, std::uint64_t ring_places,
           segment_header& header) noexcept;
  /// Frees its space and removes its name.
  void close(segment_header& header) noexcept;
  /// Removes its name, when the process ends.
  void unlink() noexcept;
  /// Keeps items of a ring. `items` has two words for each.
  void keep(std::uint64_t owner, std::uint64_t first, std::span<const word> items) noexcept;
  /// Call in the child of a fork(): the file is the parent's.
  void forget() noexcept;

 private:
  bool write(const void* data, std::size_t bytes, std::uint64_t offset) noexcept;

  int file_ = -1;                        ///< The same descriptor from the first `open` on.
  std::string path_;                     ///< Empty: there is none.
  base::atomic<std::uint64_t> next_{0};  ///< Chunks so far. Writers: all.
  base::atomic<std::uint64_t> chunk_count_{
      0};  ///< 0: nothing is kept. Writers: `open`; a worker that cannot write. Readers: all.
  base::atomic<std::uint64_t> chunk_items_{0};  ///< Writer: `open`. Readers: all.
};

/// The spool of a process, alive or dead. Reading touches nothing outside the file, whatever lies
/// in it.
class spool_view {
 public:
  /// Empty if there is none, or it does not belong to `user`.
  spool_view(const segment_header& header, std::uint32_t user);
  ~spool_view();
  spool_view(const spool_view&) = delete;
  spool_view& operator=(const spool_view&) = delete;

  /// The items of `owner` before item `end` in their order: back to `first`, or to the oldest kept
  /// without a gap, or through the chunk whose first item is older than `begin_ticks`.
  std::vector<item> before(std::uint64_t owner, std::uint64_t first, std::uint64_t end,
                           std::uint64_t begin_ticks) const;

 private:
  struct chunk {
    chunk_header what;
    std::uint64_t place = 0;  ///< In the file.
  };
  std::vector<item> items_of(const chunk& from) const;

  int file_ = -1;
  std::uint64_t chunk_items_ = 0;
  std::vector<chunk> chunks_;  ///< By owner, then by first item.
};

/// The path of the spool, if process `process_id` writes its recording to `file`; empty if that is
/// no regular file.
std::string spool_path(const std::string& file, std::int64_t process_id);
/// Removes the spool that a process has left, if its header names one.
void remove_spool(const segment_header& header) noexcept;

}  // namespace filch::trace
