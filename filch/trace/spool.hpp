#pragma once
#include <filch/trace/layout.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace filch::trace {

/// A piece of a ring as it stands in a spool: its items follow.
struct chunk_header {
  std::uint64_t number = 0;  ///< Of the chunk, from 1 on; 0: it is being written.
  std::uint64_t owner = 0;   ///< `row_owner` of the ring.
  std::uint64_t first = 0;   ///< Item of the ring.
  std::uint64_t count = 0;   ///< Of items.
};

constexpr std::size_t chunk_bytes(std::uint64_t items) noexcept {
  return sizeof(chunk_header) + items * sizeof(item);
}

/// The file of this process in which workers keep what they are about to write over in their rings.
/// One of a process: it is never destroyed, and its descriptor stays the same, as a worker may be
/// writing when a recording ends.
///
/// Threads: `open` and `close` one at a time, with one recording after another; `keep` any.
class own_spool {
 public:
  static constexpr std::uint64_t most_chunk_items = 4096;
  static constexpr std::uint64_t fewest_chunks = 16;
  /// How many items a worker writes before it keeps them, of a ring with so many places.
  static constexpr std::uint64_t chunk_items(std::uint64_t places) noexcept {
    return places / 2 < most_chunk_items ? places / 2 : most_chunk_items;
  }

  /// Makes the file, for its owner alone, and says so in `header`. It holds `most_bytes`, but
  /// `fewest_chunks` at least; then the oldest chunks are written over. Makes none if that is 0 or
  /// one is open already. Returns 0, or the error: then nothing is kept.
  int open(const std::string& path, std::uint64_t most_bytes, std::uint64_t ring_places,
           segment_header& header) noexcept;
  /// Gives its space back, and takes its name away.
  void close(segment_header& header) noexcept;
  /// Takes its name away: the process ends.
  void unlink() noexcept;
  /// Keeps items of a ring. `items` has two words for each.
  void keep(std::uint64_t owner, std::uint64_t first, std::span<const word> items) noexcept;
  /// In the child of a fork(): the file is the parent's.
  void forget() noexcept;

 private:
  bool write(const void* data, std::size_t bytes, std::uint64_t offset) noexcept;

  int file_ = -1;                        ///< As is.
  std::string path_;                     ///< Empty: there is none.
  base::atomic<std::uint64_t> next_{0};  ///< Chunks so far. Writers: all.
  base::atomic<std::uint64_t> chunk_count_{
      0};  ///< 0: nothing is kept. Writers: `open`; a worker that cannot write. Readers: all.
  base::atomic<std::uint64_t> chunk_items_{0};  ///< Writer: `open`. Readers: all.
};

/// What lies in the spool of a process, alive or dead. Whatever lies there, reading it touches
/// nothing outside.
class spool_view {
 public:
  /// Empty if there is none, or it does not belong to `user`.
  spool_view(const segment_header& header, std::uint32_t user);
  ~spool_view();
  spool_view(const spool_view&) = delete;
  spool_view& operator=(const spool_view&) = delete;

  /// The items of `owner` before item `end`, back to `first` or to the oldest kept without a gap,
  /// but not further than the chunk whose first item is older than `begin_ticks`. In their order.
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

/// Where the spool of a recording is that process `process_id` writes to `file`; empty if that is
/// no regular file.
std::string spool_path(const std::string& file, std::int64_t process_id);
/// Removes the spool that a process has left, if its header names one.
void remove_spool(const segment_header& header) noexcept;

}  // namespace filch::trace
