#pragma once
// The layout of the segment of a recording process, byte for byte. The same version of the program
// writes and reads it.
#include <filch/base/cache_line.hpp>
#include <filch/event/counters.hpp>
#include <filch/trace/ring.hpp>
#include <filch/trace/sites.hpp>

#include <array>
#include <cstdint>

namespace filch::inline v0_2::trace {

using word = base::atomic<std::uint64_t>;
using ring = basic_ring<base::real_sync>;
using ownership = basic_ownership<base::real_sync>;
using site_table = basic_site_table<base::real_sync>;

inline constexpr std::size_t most_rows = 1024;
inline constexpr std::size_t most_sites = 4096;  ///< A power of two.
inline constexpr std::size_t mappings_bytes = std::size_t{1} << 16;
inline constexpr std::size_t name_bytes = 256;
inline constexpr std::size_t path_bytes = 4096;
inline constexpr std::uint64_t least_ring_places = 256;
inline constexpr std::uint64_t most_ring_places = std::uint64_t{1} << 26;  ///< A gigabyte a worker.

/// A worker as the owner of a row. Never all zero, as pools are counted from one.
struct row_owner {
  std::uint32_t pool = 0;   ///< Of the process, from 1 on.
  std::uint32_t index = 0;  ///< `worker_index()` in that pool.

  constexpr std::uint64_t pack() const noexcept { return std::uint64_t{pool} << 32 | index; }
  static constexpr row_owner unpack(std::uint64_t packed) noexcept {
    return {static_cast<std::uint32_t>(packed >> 32), static_cast<std::uint32_t>(packed)};
  }
};

/// The counter snapshot of a worker, for readers: the words of its `event::counters`, each as it
/// last changed. Lies before the ring.
struct alignas(base::cache_line_bytes) counter_snapshot {
  /// Writers: the worker; the recorder before it switches the worker on.
  std::array<word, event::counter_words::total> words;
  word ready_jobs;  ///< In the ready queue of its slot, when it last reported. Writer: the worker.
};

/// One worker and its ring. A row outlives its worker, for readers, until another worker gets it.
struct row {
  ownership hold;
  word slot_count;  ///< Of the pool. Writer: the recorder. Readers: all.
  word thread;      ///< As the kernel knows it. Writer: that thread. Readers: all.
  /// Kernel run delay of that thread that records already tell. Writer: that thread. Readers: all.
  word delay_ns;
  /// When the kernel was last asked for that; readers read it first. Writer: as above. Readers:
  /// all.
  word asked_ticks;
  /// In the segment, in bytes; the counter snapshot ends here. Writer: the recorder, before it
  /// hands the row out. Readers: all.
  word ring_offset;
  word ring_places;  ///< Writer: the recorder, as above. Readers: all.
  /// How often recording began for this owner: the head of the ring below. Writer: the recorder.
  /// Readers: all.
  word switched_on;
  /// Two places: the state in which the recorder found the worker, as records.
  std::array<word, 4> began;
  alignas(base::cache_line_bytes) word head;  ///< Writer: the worker. Readers: all.
};

/// The first page of a segment and the tables behind it; the rings follow.
struct segment_header {
  static constexpr std::uint64_t expected_magic = 0x3143'4152'5443'4c46;  ///< "FLCTRAC1" in memory.
  static constexpr std::uint64_t present_version = 9;

  /// Stored last, so a segment that has it is whole. Writer: the recorder. Readers: all.
  word magic;
  std::uint64_t version = present_version;
  /// Of this struct: a program with another layout refuses the segment.
  std::uint64_t bytes = sizeof(segment_header);
  std::int64_t process_id = 0;
  /// In clock ticks since boot: tells this process from a later one of the same number.
  std::uint64_t process_started = 0;
  std::uint64_t calibration_ticks = 0;  ///< `base::ticks` and, at the same moment,
  std::uint64_t calibration_ns = 0;     ///< the monotonic clock.
  /// When recording was last switched on. Writer: the recorder. Readers: all.
  word began_ticks;
  /// When it was switched off; 0 while it is on. Writer: the recorder. Readers: all.
  word ended_ticks;
  /// Rows in use, from the first. Writer: the recorder. Readers: all.
  word row_count;
  /// The end of the last ring. Writer: the recorder. Readers: all.
  word file_bytes;
  /// How often another worker got the row of a past one, whose records are then lost. Writer: the
  /// recorder.
  word retired;
  /// What an unstolen fork takes, once jobs were recorded. Writer: the recorder. Readers: all.
  word fork_ps;
  /// `topo::throttled_ns` when recording was last switched on. Writer: the recorder. Readers: all.
  word throttled_ns;
  /// As `recording::processors`. Writer: the recorder. Readers: all.
  word processors;
  word spool_items;  ///< Of a chunk in the spool. Writer: the recorder. Readers: all.
  /// The most chunks of the spool; 0: there is none. Writer: the recorder. Readers: all.
  word spool_chunks;
  std::array<char, path_bytes> spool{};  ///< Its path.
  std::array<char, name_bytes> program{};
  /// Its arguments, each ended by a zero, as far as they fit.
  std::array<char, path_bytes> arguments{};
  /// Executable lines of /proc/self/maps when recording began; as text.
  std::array<char, mappings_bytes> mappings{};
  /// `site_table`. Writers: all workers. Readers: all.
  std::array<word, most_sites> sites;
  std::array<row, most_rows> rows;
};

}  // namespace filch::trace
